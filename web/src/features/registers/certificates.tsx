import { useQuery } from "@tanstack/react-query"
import { Download, Pencil } from "lucide-react"
import { date, today } from "@/lib/dates"
import { saveFile } from "@/lib/save-file"
import { toastError } from "@/parts/toast-error"
import { type PillTone, StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import type { ListProps } from "@/ui/table/use-list-screen"
import { bodyOf, type Draft, type FieldSpec } from "./fields"
import type { FormSpec } from "./entry-form"
import {
  type Certificate,
  certificateFile,
  choicesQuery,
  type RegisterView,
  useStaffNames,
  useSaveEntry,
} from "./queries"
import { RegisterList } from "./register-list"

const states: Record<Certificate["state"], { word: string; tone: PillTone }> = {
  VALID: { word: "Valid", tone: "gain" },
  EXPIRING: { word: "Expires soon", tone: "warn" },
  EXPIRED: { word: "Expired", tone: "loss" },
  RENEWED: { word: "Renewed", tone: "neutral" },
}

function daysLeft({ daysLeft: days, state }: Certificate) {
  if (state === "RENEWED") return "-"
  return days >= 0 ? `${days}` : `${-days} ago`
}

const columns: Column<Certificate>[] = [
  { title: "Staff", cell: (row) => <strong>{row.staffName || "-"}</strong>, card: "title" },
  { title: "Series", cell: (row) => row.series, card: "note" },
  { title: "Number", cell: (row) => row.number, card: "rest" },
  { title: "Valid from", cell: (row) => date(row.validFrom), card: "rest" },
  { title: "Valid until", cell: (row) => date(row.validUntil), card: "aside" },
  { title: "Days left", cell: daysLeft, align: "right", card: "rest" },
  { title: "Status", cell: (row) => <StatusPill {...states[row.state]} />, card: "main" },
  { title: "File", cell: (row) => row.fileName || "-", card: "rest" },
]

const bodyFrom = (draft: Draft, staffId: string, version?: number) => {
  return { ...bodyOf(draft, ["file"], version), staffId }
}

const save = async (row: Certificate) => {
  try {
    const { content, name } = await certificateFile(row._id)
    saveFile(content, name)
  } catch (error) {
    toastError(error)
  }
}

const useSeries = () => useQuery({ ...choicesQuery, select: ({ series }) => series })

const fields: FieldSpec[] = [
  { name: "series", label: "Series", kind: "choice", useOptions: useSeries },
  { name: "number", label: "Number", kind: "line" },
  { name: "validFrom", label: "Valid from", kind: "day", max: today() },
  { name: "validUntil", label: "Valid until", kind: "day" },
  { name: "file", label: "Certificate", kind: "file", isOptional: true },
]

/** Certificates of staff, with the warnings before they expire. */
export function Certificates(props: ListProps<RegisterView>) {
  const entry = useSaveEntry("certificates")
  const formOf = (): FormSpec => ({
    title: "Add certificate",
    fields: [
      { name: "staffId", label: "Member of staff", kind: "choice", useOptions: useStaffNames },
      ...fields,
    ],
    initial: { staffId: "", series: "", number: "", validFrom: "", validUntil: "", file: "" },
    save: (draft, keyOf) => {
      const body = bodyFrom(draft, draft.staffId ?? "")
      return entry.mutateAsync({ id: null, body, key: keyOf(body) })
    },
    done: "Certificate added",
  })
  const editOf = (row: Certificate): FormSpec => ({
    title: `Edit certificate of ${row.staffName}`,
    fields,
    initial: {
      ...{ series: row.series, number: row.number, validFrom: row.validFrom },
      ...{ validUntil: row.validUntil, file: "", fileName: row.fileName },
    },
    save: (draft, keyOf) => {
      const body = bodyFrom(draft, row.staffId, row.version)
      return entry.mutateAsync({ id: row._id, body, key: keyOf(body) })
    },
    done: "Certificate saved",
  })
  return (
    <RegisterList
      {...props}
      name="certificates"
      title="Certificates"
      columns={columns}
      rowName={(row) => `certificate ${row.series} of ${row.staffName}`}
      addLabel="Add certificate"
      hint="NISM certificates of staff appear here after you add them."
      formOf={formOf}
      menuOf={(row, open) => [
        { label: "Edit", icon: <Pencil size={15} />, onSelect: () => open(editOf(row)) },
        {
          label: "Save file",
          icon: <Download size={15} />,
          disabled: row.fileName === "",
          onSelect: () => void save(row),
        },
      ]}
    />
  )
}
