import type { ReactNode } from "react"
import styles from "./notice.module.css"

interface NoticeProps {
  tone?: "warn" | "info"
  /** "alert" interrupts a screen reader. */
  role?: "status" | "alert"
  icon?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A sentence over a screen or a form that needs attention, and what to do about it. */
export function Notice({ tone = "warn", role = "status", icon, actions, children }: NoticeProps) {
  return (
    <div className={styles.notice} data-tone={tone} role={role}>
      {icon}
      <p>{children}</p>
      {actions}
    </div>
  )
}

/** What the server remarks about a computation, one line each. */
export function NoticeList({ notices }: { notices: string[] }) {
  if (notices.length === 0) return null
  return (
    <ul className={styles.list} aria-label="Notices">
      {notices.map((notice) => (
        <li key={notice}>{notice}</li>
      ))}
    </ul>
  )
}
