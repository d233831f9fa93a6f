import { useQuery } from "@tanstack/react-query"
import { Check, Pencil } from "lucide-react"
import { date, daysBetween, today } from "@/lib/dates"
import { Notice } from "@/ui/notice"
import { type PillTone, StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import type { ListProps } from "@/ui/table/use-list-screen"
import { bodyOf, type FieldSpec } from "./fields"
import type { FormSpec } from "./entry-form"
import { choicesQuery, type Complaint, type RegisterView, useSaveEntry } from "./queries"
import { RegisterList } from "./register-list"
import styles from "./registers.module.css"

const states: Record<Complaint["state"], { word: string; tone: PillTone }> = {
  OPEN: { word: "Open", tone: "brand" },
  DUE_SOON: { word: "Due soon", tone: "warn" },
  OVERDUE: { word: "Overdue", tone: "loss" },
  RESOLVED: { word: "Resolved", tone: "gain" },
}

/** How long there is until the due day, or how long ago it was. */
function leftUntil({ dueOn, resolvedOn }: Complaint) {
  if (resolvedOn !== null) return date(dueOn)
  const days = daysBetween(today(), dueOn)
  const words = days >= 0 ? `${days} days left` : `${-days} days late`
  return (
    <>
      {date(dueOn)} <span className="muted">{words}</span>
    </>
  )
}

const columns: Column<Complaint>[] = [
  { title: "Received", cell: (row) => date(row.receivedOn), card: "note" },
  { title: "From", cell: (row) => <strong>{row.complainant}</strong>, card: "title" },
  {
    title: "Subject",
    cell: (row) => <span className={styles.wrap}>{row.subject}</span>,
    card: "rest",
  },
  { title: "Nature", cell: (row) => row.nature, card: "rest" },
  {
    title: "Channel",
    cell: (row) => (
      <>
        {row.channel} <span className="muted">{row.reference}</span>
      </>
    ),
    card: "rest",
  },
  { title: "Due", cell: leftUntil, card: "aside" },
  {
    title: "Status",
    cell: (row) => <StatusPill {...states[row.state]} />,
    card: "main",
  },
  { title: "Resolved", cell: (row) => date(row.resolvedOn), card: "rest" },
]

const useChannels = () => useQuery({ ...choicesQuery, select: ({ channels }) => channels })

const fields: FieldSpec[] = [
  { name: "receivedOn", label: "Received on", kind: "day", max: today() },
  {
    name: "complainant",
    label: "From",
    kind: "line",
    hint: "A client's code, such as C0007, or a name.",
  },
  { name: "channel", label: "Channel", kind: "choice", useOptions: useChannels },
  { name: "reference", label: "Reference", kind: "line", isOptional: true },
  { name: "subject", label: "Subject", kind: "line" },
  {
    name: "nature",
    label: "Nature",
    kind: "line",
    hint: "What it is about: fees, service, advice.",
  },
]

const earlier: FieldSpec[] = [
  {
    name: "resolvedOn",
    label: "Resolved on",
    kind: "day",
    max: today(),
    isOptional: true,
    hint: "Only for a complaint that was resolved before it is entered here.",
  },
  {
    name: "resolution",
    label: "Resolution",
    kind: "text",
    isShown: ({ resolvedOn }) => resolvedOn !== "",
  },
]

/** The register of complaints; their numbers are public. */
export function Complaints(props: ListProps<RegisterView>) {
  const choices = useQuery(choicesQuery).data
  const save = useSaveEntry("complaints")
  const formOf = (): FormSpec => ({
    title: "Add complaint",
    fields: [...fields, ...earlier],
    initial: {
      ...{ receivedOn: today(), complainant: "", channel: "", reference: "" },
      ...{ subject: "", nature: "", resolvedOn: "", resolution: "" },
    },
    save: (draft, keyOf) => {
      const body = bodyOf(draft, ["resolvedOn"])
      return save.mutateAsync({ id: null, body, key: keyOf(body) })
    },
    done: "Complaint added",
  })
  const editOf = (row: Complaint): FormSpec => ({
    title: "Edit complaint",
    fields,
    initial: {
      ...{ receivedOn: row.receivedOn, complainant: row.complainant, channel: row.channel },
      ...{ reference: row.reference, subject: row.subject, nature: row.nature },
    },
    save: (draft, keyOf) => {
      const clientId = draft.complainant === row.complainant ? row.clientId : null
      const body = { ...bodyOf(draft, [], row.version), clientId }
      return save.mutateAsync({ id: row._id, body, key: keyOf(body) })
    },
    done: "Complaint saved",
  })
  const resolveOf = (row: Complaint): FormSpec => ({
    title: `Resolve the complaint of ${row.complainant}`,
    fields: [
      { name: "resolvedOn", label: "Resolved on", kind: "day", max: today() },
      { name: "resolution", label: "Resolution", kind: "text" },
    ],
    initial: { resolvedOn: today(), resolution: "" },
    submitLabel: "Resolve",
    save: (draft, keyOf) => {
      const body = bodyOf(draft, [], row.version)
      return save.mutateAsync({ id: row._id, act: "resolve", body, key: keyOf(body) })
    },
    done: "Complaint resolved",
  })
  return (
    <RegisterList
      {...props}
      name="complaints"
      title="Complaints"
      columns={columns}
      rowName={(row) => `complaint of ${row.complainant}`}
      addLabel="Add complaint"
      hint="Complaints you add appear here. Without any, the public table shows zeros."
      states={{ open: "Open", closed: "Resolved" }}
      formOf={formOf}
      menuOf={(row, open) => [
        { label: "Edit", icon: <Pencil size={15} />, onSelect: () => open(editOf(row)) },
        {
          label: "Resolve",
          icon: <Check size={15} />,
          disabled: row.resolvedOn !== null,
          onSelect: () => open(resolveOf(row)),
        },
      ]}
      notice={
        <Notice tone="info">
          Each complaint is to be resolved within {choices?.complaintDays ?? "-"} days. The counts
          of each month are public, without names, at{" "}
          <a href="/complaints" target="_blank" rel="noreferrer">
            /complaints
          </a>
          .
        </Notice>
      }
    />
  )
}
