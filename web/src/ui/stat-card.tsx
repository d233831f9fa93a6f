import type { ReactNode } from "react"
import styles from "./stat-card.module.css"
import { TermMark } from "./term-mark"

interface StatCardProps {
  label: string
  /** The number; `undefined` while it loads. */
  value: ReactNode
  /** Change or share, under the number. */
  context?: ReactNode
  /** A quiet drawing at the right, such as a `<Sparkline>`. */
  aside?: ReactNode
  /** A button at the top right, such as an edit pencil. */
  action?: ReactNode
  isLoading?: boolean
}

/** Label small above, number large below, context third. */
export function StatCard({ label, value, context, aside, action, isLoading }: StatCardProps) {
  return (
    <div className={styles.card} role="group" aria-label={label}>
      <div className={styles.label}>
        <span>
          {label}
          <TermMark label={label} />
        </span>
        {action}
      </div>
      <div className={styles.number}>
        {isLoading ? <span className={styles.ghost} aria-hidden="true" /> : value}
      </div>
      {(context !== undefined || aside !== undefined) && (
        <div className={styles.context}>{isLoading ? "\u00a0" : context}</div>
      )}
      {aside !== undefined && <div className={styles.aside}>{aside}</div>}
    </div>
  )
}
