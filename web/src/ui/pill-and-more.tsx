import { count } from "@/lib/format"
import styles from "./pill-and-more.module.css"
import { type PillTone, StatusPill } from "./status-pill"

interface PillAndMoreProps {
  word: string
  tone: PillTone
  /** How many more words there are. */
  more: number
  /** All of it, in the tooltip and for screen readers. */
  text: string
}

/** A status pill, and how many more there are. */
export function PillAndMore({ word, tone, more, text }: PillAndMoreProps) {
  return (
    <span className={styles.pill} title={text === "" ? undefined : text}>
      <StatusPill word={word} tone={tone} />
      {more > 0 && (
        <>
          <span aria-hidden="true">+{count(more)}</span>
          <span className="sr-only">, {text}</span>
        </>
      )}
    </span>
  )
}
