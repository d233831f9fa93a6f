import { missing } from "@/lib/format"
import styles from "./portfolio.module.css"

const marks = {
  ZERODHA: { name: "Zerodha", path: "M6 7h12L7 17h11" },
  ANGEL_ONE: { name: "Angel One", path: "M6 18 12 6l6 12M8.5 13.5h7" },
}

/** The client's broker: a letter of our own drawing and the name. */
export function BrokerMark({ name }: { name: string | undefined }) {
  if (!name) return <span className="muted">{missing}</span>
  const mark = name === "ZERODHA" ? marks.ZERODHA : marks.ANGEL_ONE
  return (
    <span className={styles.broker}>
      <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <rect width="24" height="24" rx="6" />
        <path d={mark.path} />
      </svg>
      {mark.name}
    </span>
  )
}
