import { type KeyboardEvent, useRef, useState } from "react"
import { missing } from "@/lib/format"
import styles from "@/ui/form/fields.module.css"
import { percentFormat } from "@/ui/form/number-fields"
import { NumberInput } from "@/ui/form/number-input"

interface PercentCellProps {
  /** Names the field in a row: "Target allocation of INFY". */
  label: string
  /** Percent; null shows a dash. */
  value: number | null
  /** Called on Enter, on leaving and on the arrow keys' steps; `false` refuses and restores the last good value. */
  onCommit: (value: number) => boolean
  /** Called when the field was emptied; without it an empty field means 0. */
  onClear?: () => boolean
  disabled?: boolean
  width?: number
  /** Lets Up and Down go to another row instead of stepping. */
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void
}

/** A percentage edited in its row: Enter or leaving commits, Escape undoes, a refused value shakes once. */
export function PercentCell(props: PercentCellProps) {
  const { label, value, onCommit, onClear, disabled, width = 92, onKeyDown } = props
  const [draft, setDraft] = useState<number | "" | null>(null)
  const field = useRef<HTMLInputElement>(null)

  const commit = () => {
    if (draft === null) return
    setDraft(null)
    if (draft === (value ?? "")) return
    const isTaken = draft === "" && onClear ? onClear() : onCommit(draft === "" ? 0 : draft)
    if (!isTaken) shake(field.current)
  }
  return (
    <NumberInput
      ref={field}
      aria-label={label}
      w={width}
      classNames={{ input: styles.cell }}
      value={draft ?? value ?? ""}
      placeholder={missing}
      onChange={setDraft}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit()
        if (event.key === "Escape") setDraft(null)
        onKeyDown?.(event)
      }}
      format={percentFormat}
      step={0.01}
      disabled={disabled}
    />
  )
}

function shake(field: HTMLInputElement | null) {
  if (!field || !styles.shake) return
  field.classList.add(styles.shake)
  const name = styles.shake
  field.addEventListener("animationend", () => field.classList.remove(name), { once: true })
}
