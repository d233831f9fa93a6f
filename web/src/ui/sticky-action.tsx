import type { ReactNode } from "react"
import styles from "./sticky-action.module.css"

/** Keeps the primary action of a screen at the bottom edge of a phone; elsewhere it stays in its row. */
export function StickyAction({ children }: { children: ReactNode }) {
  return <div className={styles.sticky}>{children}</div>
}
