import { TextInput } from "@mantine/core"
import { useState } from "react"
import { dashedDate, parseDay, type Range } from "@/lib/dates"
import { lazyComponent } from "@/ui/lazy-component"
import { useAnchor } from "@/ui/overlay/use-anchor"
import { CalendarButton } from "./calendar-button"

const CalendarPopover = lazyComponent(() => import("./calendar-popover"))

interface DateRangeFieldProps {
  label: string
  value: Range | null
  /** Called once both ends are chosen or typed, and with null when the range is cleared. */
  onRange: (range: Range | null) => void
  /** Today in India, from the caller's clock. */
  today: string
}

const shown = (range: Range | null) =>
  range ? `${dashedDate(range.from)} – ${dashedDate(range.to)}` : ""

/** Reads `dd-MM-yyyy – dd-MM-yyyy` or `yyyy-MM-dd – yyyy-MM-dd`; null when it is no range. */
export function parseRange(text: string): Range | null {
  const days = text.match(/\d{4}-\d{2}-\d{2}|\d{2}[-/]\d{2}[-/]\d{4}/g)?.map(parseDay) ?? []
  const [from, to = from] = days
  if (!from || !to || days.length > 2) return null
  return from <= to ? { from, to } : { from: to, to: from }
}

/** A range of days, typed or picked: Monday first, two months side by side, quick choices. */
export function DateRangeField({ label, value, onRange, today }: DateRangeFieldProps) {
  const { at, close, buttonProps } = useAnchor()
  const [draft, setDraft] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)

  const commit = () => {
    if (draft === null) return
    if (draft.trim() === "") {
      setDraft(null)
      setFault(null)
      onRange(null)
      return
    }
    const range = parseRange(draft)
    setFault(range ? null : "Please select a valid date")
    if (!range) return
    setDraft(null)
    onRange(range)
  }
  const pick = (range: Range | null) => {
    setDraft(null)
    setFault(null)
    close()
    onRange(range)
  }
  return (
    <>
      <TextInput
        aria-label={label}
        placeholder={label}
        w={230}
        value={draft ?? shown(value)}
        error={fault}
        onChange={(event) => setDraft(event.currentTarget.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit()
          if (event.key === "Escape") {
            setDraft(null)
            setFault(null)
          }
        }}
        rightSectionWidth={36}
        rightSection={<CalendarButton label={`Open calendar: ${label}`} {...buttonProps} />}
      />
      {at && (
        <CalendarPopover
          at={at}
          label={label}
          onClose={close}
          value={value}
          onRange={pick}
          today={today}
        />
      )}
    </>
  )
}
