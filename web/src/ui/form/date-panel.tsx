import { TextInput } from "@mantine/core"
import { lazy, Suspense, useState } from "react"
import { dashedDate, type Range } from "@/lib/dates"
import { parseRange } from "./date-range-field"
import styles from "@/ui/table/filter-menu.module.css"
import { Skeleton } from "@/ui/states"

const Calendar = lazy(() => import("./range-calendar"))

interface DatePanelProps {
  value: Range | null
  /** Called once both ends are chosen or typed, and with null when the range is cleared. */
  onRange: (range: Range | null) => void
  today: string
}

/** A range of days on show: typed and entered, or picked. The first day that is picked only arms it. */
export function DatePanel({ value, onRange, today }: DatePanelProps) {
  const [text, setText] = useState(
    value ? `${dashedDate(value.from)} – ${dashedDate(value.to)}` : "",
  )
  const [fault, setFault] = useState<string | null>(null)
  const enter = () => {
    const range = text.trim() === "" ? null : parseRange(text)
    if (range || text.trim() === "") onRange(range)
    else setFault("Please select a valid date")
  }
  return (
    <div className={styles.dates}>
      <TextInput
        label="Dates"
        placeholder="dd-mm-yyyy – dd-mm-yyyy"
        value={text}
        error={fault}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setFault(null)
        }}
        onKeyDown={(event) => event.key === "Enter" && enter()}
      />
      <Suspense fallback={<Skeleton width={280} height={260} />}>
        <Calendar value={value} onRange={onRange} today={today} />
      </Suspense>
    </div>
  )
}
