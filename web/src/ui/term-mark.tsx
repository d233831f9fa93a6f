import { Tooltip } from "@mantine/core"
import { Info } from "lucide-react"
import { termOf } from "@/lib/terms"
import styles from "./term-mark.module.css"

/** The ⓘ beside a label that is in the catalogue of terms; hover, focus or a tap shows its sentence. */
export function TermMark({ label }: { label: string }) {
  const term = termOf(label)
  if (!term) return null
  return (
    <Tooltip
      label={term.meaning}
      multiline
      w={260}
      withinPortal
      events={{ hover: true, focus: true, touch: true }}
      transitionProps={{ duration: 0 }}
    >
      <button type="button" className={styles.mark} aria-label={`What is ${term.name}?`}>
        <Info size={13} aria-hidden="true" />
      </button>
    </Tooltip>
  )
}
