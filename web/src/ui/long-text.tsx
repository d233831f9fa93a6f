import type { ReactNode } from "react"
import styles from "./long-text.module.css"

/** A text in a table cell, cut off where it is too long; the tooltip has all of it. */
export function LongText({ children, title }: { children: ReactNode; title?: string }) {
  return (
    <span className={styles.long} title={title}>
      {children}
    </span>
  )
}
