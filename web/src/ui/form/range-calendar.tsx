import { DatePicker } from "@mantine/dates"
import "@mantine/dates/styles.css"
import { useState } from "react"
import { quickRanges, type Range } from "@/lib/dates"
import { Button } from "@/ui/button"
import { calendarProps } from "./calendar-props"
import styles from "./range-calendar.module.css"
import { useIsPhone } from "@/ui/use-media"

interface RangeCalendarProps {
  value: Range | null
  onRange: (range: Range | null) => void
  today: string
}

/** The calendar of `<DateRangeField>`: the first click arms it, the second answers. */
export default function RangeCalendar({ value, onRange, today }: RangeCalendarProps) {
  const [ends, setEnds] = useState<[string | null, string | null]>([
    value?.from ?? null,
    value?.to ?? null,
  ])
  const isPhone = useIsPhone()
  const pick = ([from, to]: [string | null, string | null]) => {
    setEnds([from, to])
    if (from && to) onRange({ from, to })
  }
  return (
    <div className={styles.calendar}>
      <div className={styles.quick}>
        {quickRanges(today).map(({ label, range }) => (
          <Button key={label} kind="subtle" onClick={() => onRange(range)}>
            {label}
          </Button>
        ))}
        {value && (
          <Button kind="subtle" onClick={() => onRange(null)}>
            Clear
          </Button>
        )}
      </div>
      <DatePicker
        type="range"
        allowSingleDateInRange
        value={ends}
        onChange={pick}
        defaultDate={value?.from ?? today}
        numberOfColumns={isPhone ? 1 : 2}
        fullWidth={isPhone}
        {...calendarProps}
      />
    </div>
  )
}
