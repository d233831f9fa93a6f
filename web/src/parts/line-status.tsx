import { StatusPill } from "@/ui/status-pill"
import { type AdviceState, type LineStatus, lineWords, stateWords } from "./follow-up"
import styles from "./line-status.module.css"

/** What became of an advice, as a pill. */
export function AdviceStatePill({ state }: { state: AdviceState }) {
  const [word, tone] = stateWords[state]
  return <StatusPill word={word} tone={tone} />
}

interface LineStatusPillProps {
  status: LineStatus
  /** The server's sentence, such as the broker's reason. */
  text?: string
}

/** What became of one line, and why. */
export function LineStatusPill({ status, text = "" }: LineStatusPillProps) {
  const [word, tone] = lineWords[status]
  return (
    <span className={styles.status}>
      <StatusPill word={word} tone={tone} />
      {text !== "" && <small>{text}</small>}
    </span>
  )
}
