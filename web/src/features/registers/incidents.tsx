import { useQuery } from "@tanstack/react-query"
import { Pencil, Send } from "lucide-react"
import { dateTime, dayInIndia, time, today } from "@/lib/dates"
import { Notice } from "@/ui/notice"
import { type PillTone, StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import type { ListProps } from "@/ui/table/use-list-screen"
import { bodyOf, type FieldSpec } from "./fields"
import type { FormSpec } from "./entry-form"
import { choicesQuery, type Incident, type RegisterView, useSaveEntry } from "./queries"
import { RegisterList } from "./register-list"

const states: Record<Incident["state"], { word: string; tone: PillTone }> = {
  OPEN: { word: "Open", tone: "brand" },
  DUE_SOON: { word: "Due soon", tone: "warn" },
  OVERDUE: { word: "Overdue", tone: "loss" },
  REPORTED: { word: "Reported", tone: "gain" },
  REPORTED_LATE: { word: "Reported late", tone: "loss" },
}

const columns: Column<Incident>[] = [
  { title: "Noticed", cell: (row) => dateTime(row.noticedAt), card: "note" },
  { title: "Summary", cell: (row) => <strong>{row.summary}</strong>, card: "title" },
  { title: "Report due", cell: (row) => dateTime(row.dueAt), card: "aside" },
  { title: "Status", cell: (row) => <StatusPill {...states[row.state]} />, card: "main" },
  { title: "Reported", cell: (row) => dateTime(row.reportedAt), card: "rest" },
  { title: "Report", cell: (row) => row.report || "-", card: "rest" },
]

const fields: FieldSpec[] = [
  { name: "noticedOn", label: "Noticed on", kind: "day", max: today() },
  { name: "noticedTime", label: "At (IST)", kind: "time" },
  { name: "summary", label: "Summary", kind: "line" },
  { name: "details", label: "Details", kind: "text", isOptional: true },
]

const reportFields: FieldSpec[] = [
  { name: "reportedOn", label: "Reported on", kind: "day", max: today() },
  { name: "reportedTime", label: "At (IST)", kind: "time" },
  {
    name: "report",
    label: "To whom",
    kind: "line",
    hint: "And the number of the report, where there is one.",
  },
]

/** Breaches of security or of personal data, each with its clock. */
export function Incidents(props: ListProps<RegisterView>) {
  const choices = useQuery(choicesQuery).data
  const entry = useSaveEntry("incidents")
  const formOf = (row?: Incident): FormSpec => ({
    title: row ? "Edit incident" : "Add incident",
    fields,
    initial: {
      noticedOn: row ? dayInIndia(new Date(row.noticedAt)) : today(),
      noticedTime: row ? time(row.noticedAt) : "",
      summary: row?.summary ?? "",
      details: row?.details ?? "",
    },
    save: (draft, keyOf) => {
      const body = bodyOf(draft, [], row?.version)
      return entry.mutateAsync({ id: row?._id ?? null, body, key: keyOf(body) })
    },
    done: row ? "Incident saved" : "Incident added",
  })
  const reportOf = (row: Incident): FormSpec => ({
    title: "Record the report",
    fields: reportFields,
    initial: { reportedOn: today(), reportedTime: "", report: "" },
    submitLabel: "Record report",
    save: (draft, keyOf) => {
      const body = bodyOf(draft, [], row.version)
      return entry.mutateAsync({ id: row._id, act: "report", body, key: keyOf(body) })
    },
    done: "Report recorded",
  })
  return (
    <RegisterList
      {...props}
      name="incidents"
      title="Incidents"
      columns={columns}
      rowName={(row) => row.summary}
      addLabel="Add incident"
      hint="Breaches of security or personal data appear here after you add them."
      states={{ open: "Not reported", closed: "Reported" }}
      formOf={() => formOf()}
      menuOf={(row, open) => [
        { label: "Edit", icon: <Pencil size={15} />, onSelect: () => open(formOf(row)) },
        {
          label: "Record report",
          icon: <Send size={15} />,
          disabled: row.reportedAt !== null,
          onSelect: () => open(reportOf(row)),
        },
      ]}
      notice={
        <Notice tone="info">
          An incident is to be reported within {choices?.incidentHours ?? "-"} hours after it was
          noticed.
        </Notice>
      }
    />
  )
}
