import { Popover, TextInput } from "@mantine/core"
import { CalendarDays } from "lucide-react"
import { lazy, Suspense, useState } from "react"
import { dashedDate, parseDay, type Range } from "@/lib/dates"
import { IconButton } from "@/ui/button"
import { Skeleton } from "@/ui/states"

const Calendar = lazy(() => import("./range-calendar"))

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
  const [isOpen, setIsOpen] = useState(false)
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
    setIsOpen(false)
    onRange(range)
  }
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      position="bottom-start"
      trapFocus
      returnFocus
      transitionProps={{ duration: 0 }}
      // Mantine would say of the text field what is true of the calendar's button alone.
      withRoles={false}
    >
      <Popover.Target>
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
          rightSection={
            <IconButton
              label={`Open calendar: ${label}`}
              icon={<CalendarDays size={15} />}
              aria-expanded={isOpen}
              aria-haspopup="dialog"
              onClick={() => setIsOpen(!isOpen)}
            />
          }
        />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label}>
        <Suspense fallback={<Skeleton width={280} height={260} />}>
          <Calendar value={value} onRange={pick} today={today} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
