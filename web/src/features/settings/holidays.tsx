import { useQuery } from "@tanstack/react-query"
import { Plus, Trash2 } from "lucide-react"
import { useState } from "react"
import * as z from "zod/mini"
import { date, today, weekday } from "@/lib/dates"
import { Button, IconButton } from "@/ui/button"
import { Card } from "@/ui/card"
import { DateField } from "@/ui/form/date-field"
import { Field, SelectField } from "@/ui/form/fields"
import { type Column, Table } from "@/ui/table/table"
import { toast } from "@/ui/overlay/toast"
import { useZodForm } from "@/ui/form/use-zod-form"
import {
  type Holiday,
  holidaysFile,
  holidaysQuery,
  toastFailure,
  useChangeHolidays,
} from "./queries"
import styles from "./settings.module.css"

const YEARS_BACK = 2
const YEARS_ON = 2

/** The days on which NSE is closed, besides Saturdays and Sundays. */
export default function Holidays() {
  const now = today()
  const thisYear = Number(now.slice(0, 4))
  const [year, setYear] = useState(thisYear)
  // The key of the form: a new number clears it.
  const [added, setAdded] = useState(0)
  const holidays = useQuery(holidaysQuery(year))
  const change = useChangeHolidays()
  const remove = (holiday: Holiday) =>
    change.mutate(
      { holidays: [], removed: [holiday.date] },
      {
        onSuccess: () =>
          toast.success(`${holiday.name} removed`, {
            undo: () =>
              change.mutate({ holidays: [holiday], removed: [] }, { onError: toastFailure }),
          }),
        onError: toastFailure,
      },
    )
  const years = Array.from({ length: YEARS_BACK + YEARS_ON + 1 }, (_, index) =>
    String(thisYear - YEARS_BACK + index),
  )
  return (
    <Card
      flush
      title="Holidays"
      note="Saturdays and Sundays are never trading days. Past days cannot be removed."
      actions={
        <SelectField
          label="Year"
          hideLabel
          options={years}
          value={String(year)}
          onChange={(event) => setYear(Number(event.currentTarget.value))}
        />
      }
    >
      <AddHoliday
        key={added}
        onAdded={(day) => {
          setAdded(added + 1)
          setYear(Number(day.slice(0, 4)))
        }}
      />
      <Table
        label={`Holidays of ${year}`}
        name="holidays"
        columns={columns(now, remove)}
        download={(format) => holidaysFile(year, format)}
        rows={holidays.data}
        rowKey={(holiday) => holiday.date}
        rowName={(holiday) => holiday.name}
        state={holidays}
        empty={{
          title: "No Data Available",
          hint: `NSE announces the holidays at the end of the previous year.`,
        }}
        isMuted={(holiday) => holiday.date < now}
      />
    </Card>
  )
}

const columns = (now: string, onRemove: (holiday: Holiday) => void): Column<Holiday>[] => [
  { title: "Date", cell: (holiday) => date(holiday.date), card: "main", width: 120 },
  { title: "Day", cell: (holiday) => weekday(holiday.date), card: "note", width: 120 },
  { title: "Holiday", cell: (holiday) => holiday.name, card: "title" },
  {
    title: "Actions",
    hideTitle: true,
    align: "right",
    card: "aside",
    cell: (holiday) =>
      holiday.date >= now && (
        <IconButton
          label={`Remove ${holiday.name}`}
          icon={<Trash2 size={15} aria-hidden="true" />}
          onClick={() => onRemove(holiday)}
        />
      ),
  },
]

const schema = z.object({
  date: z.iso.date("Please select a valid date"),
  name: z.string().check(z.trim(), z.minLength(1, "Name is required")),
})

function AddHoliday({ onAdded }: { onAdded: (day: string) => void }) {
  const change = useChangeHolidays()
  const form = useZodForm(schema, async (holiday) => {
    try {
      await change.mutateAsync({ holidays: [holiday], removed: [] })
    } catch (error) {
      toastFailure(error)
      return
    }
    toast.success(`${holiday.name} added`)
    onAdded(holiday.date)
  })
  const day = form.field("date")
  const name = form.field("name")
  return (
    <form
      className={styles.addDay}
      data-faulty={Boolean(day.error ?? name.error)}
      onSubmit={form.onSubmit}
      noValidate
    >
      <DateField label="Date" {...day} />
      <Field label="Holiday" maxLength={100} {...name} />
      <Button type="submit" icon={<Plus size={15} aria-hidden="true" />} isBusy={form.isSaving}>
        Add holiday
      </Button>
    </form>
  )
}
