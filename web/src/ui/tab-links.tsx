import type { ReactNode } from "react"
import styles from "./tab-links.module.css"

/** Links to the screens of one subject, side by side; they look as tabs do. */
export function TabLinks({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={styles.links} aria-label={label}>
      {children}
    </nav>
  )
}
