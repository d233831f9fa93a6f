import type { ReactNode } from "react"
import { useLitRow } from "./target-meter"
import styles from "./target-rows.module.css"

/** The frame of a table whose targets are typed in: each stands in an element with its row's `data-target`. */
export function TargetRows({ children }: { children: ReactNode }) {
  const frame = useLitRow()
  return (
    <div className={styles.rows} ref={frame}>
      {children}
    </div>
  )
}
