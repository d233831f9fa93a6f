import type { Range } from "@/lib/dates"
import { AnchoredPopover } from "@/ui/overlay/anchored-popover"
import RangeCalendar from "./range-calendar"

interface CalendarPopoverProps {
  at: HTMLElement
  label: string
  onClose: () => void
  value: Range | null
  onRange: (range: Range | null) => void
  today: string
}

/** The open calendar of a field. */
export default function CalendarPopover({ at, label, onClose, ...calendar }: CalendarPopoverProps) {
  return (
    <AnchoredPopover at={at} label={label} onClose={onClose} position="bottom-end">
      <RangeCalendar {...calendar} />
    </AnchoredPopover>
  )
}
