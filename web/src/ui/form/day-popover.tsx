import { DatePicker } from "@mantine/dates"
import "@mantine/dates/styles.css"
import type { Day } from "@/lib/dates"
import { AnchoredPopover } from "@/ui/overlay/anchored-popover"
import { calendarProps } from "./calendar-props"

interface DayPopoverProps {
  at: HTMLElement
  label: string
  onClose: () => void
  value: Day | null
  onDay: (day: Day) => void
  min?: Day
  max?: Day
}

/** The open calendar of a `<DateField>`: one click answers. */
export default function DayPopover({ at, label, onClose, onDay, ...days }: DayPopoverProps) {
  const { min = "", max = days.value ?? "" } = days
  // A typed day beyond the last one that can be picked would open a month without any.
  const value = days.value !== null && days.value >= min && days.value <= max ? days.value : null
  return (
    <AnchoredPopover at={at} label={label} onClose={onClose} position="bottom-end">
      <DatePicker
        value={value}
        onChange={(day) => day !== null && onDay(day)}
        defaultDate={value ?? days.max ?? days.min}
        minDate={days.min}
        maxDate={days.max}
        {...calendarProps}
        // Escape closes the calendar and leaves the dialog open in which the field is.
        __stopPropagation
      />
    </AnchoredPopover>
  )
}
