import { Info } from "lucide-react"
import { memo } from "react"
import { termOf } from "@/lib/terms"
import { Hint } from "./overlay/hint"
import styles from "./term-mark.module.css"

/** The ⓘ beside a label that is in the catalogue of terms; hover, focus or a tap shows its sentence. */
export const TermMark = memo(function TermMark({ label }: { label: string }) {
  const term = termOf(label)
  if (!term) return null
  return (
    <Hint text={term.meaning}>
      <button type="button" className={styles.mark} aria-label={`What is ${term.name}?`}>
        <Info size={13} aria-hidden="true" />
      </button>
    </Hint>
  )
})
