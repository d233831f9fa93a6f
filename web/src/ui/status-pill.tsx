import styles from "./status-pill.module.css"

export type PillTone = "gain" | "loss" | "warn" | "neutral" | "brand"

/** The colour of each word that the product uses for a state; an unknown word is shown as a loss. */
const tones: Partial<Record<string, PillTone>> = {
  ACTIVE: "gain",
  INACTIVE: "neutral",
  SAMPLE: "brand",
  COMPLETE: "gain",
  REJECTED: "loss",
  OPEN: "warn",
  CANCELLED: "loss",
  PAID: "gain",
  DUE: "warn",
  BUY: "gain",
  SELL: "loss",
  HOLD: "neutral",
  Login: "gain",
  Logout: "neutral",
  QUEUED: "warn",
  SENT: "gain",
  FAILED: "loss",
  WRITTEN: "warn",
}

/** A dot and a word in a soft pill. */
export function StatusPill({ word, tone }: { word: string; tone?: PillTone }) {
  return (
    <span className={styles.pill} data-tone={tone ?? tones[word] ?? "loss"}>
      {word}
    </span>
  )
}
