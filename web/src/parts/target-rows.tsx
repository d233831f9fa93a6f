import type { ReactNode } from "react"
import { useLitRow } from "./target-meter"
import styles from "./target-rows.module.css"

/** The frame of a table with target fields; each field is in an element with its row's `data-target`. */
export function TargetRows({ children }: { children: ReactNode }) {
  const frame = useLitRow()
  return (
    <div className={styles.rows} ref={frame}>
      {children}
    </div>
  )
}

/** Moves the focus to the target field above or below. */
export function stepTarget(field: HTMLInputElement, by: 1 | -1) {
  const fields = [...document.querySelectorAll<HTMLInputElement>("[data-target] input")]
  fields[fields.indexOf(field) + by]?.focus()
}
