import { missing } from "@/lib/format"
import { BrokerLogo } from "@/parts/broker-logo"
import type { Portfolio } from "./queries"
import styles from "./portfolio.module.css"

/** The client's broker: its logo and name. */
export function BrokerMark({ broker }: { broker: Portfolio["broker"] | undefined }) {
  if (!broker?.name) return <span className="muted">{missing}</span>
  const isFirst = broker.name === "ZERODHA"
  return (
    <span className={styles.broker}>
      <BrokerLogo name={isFirst ? "ZERODHA" : "ANGEL_ONE"} logo={broker.logo} size={24} />
      {isFirst ? "Zerodha" : "Angel One"}
    </span>
  )
}
