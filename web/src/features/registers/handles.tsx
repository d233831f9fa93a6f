import { Pencil } from "lucide-react"
import { date, today } from "@/lib/dates"
import type { Column } from "@/ui/table/table"
import type { ListProps } from "@/ui/table/use-list-screen"
import { bodyOf, type FieldSpec } from "./fields"
import type { FormSpec } from "./entry-form"
import { type Handle, type RegisterView, useSaveEntry } from "./queries"
import { RegisterList } from "./register-list"

const columns: Column<Handle>[] = [
  { title: "Platform", cell: (row) => <strong>{row.platform}</strong>, card: "title" },
  { title: "Handle or address", cell: (row) => row.handle, card: "note" },
  { title: "Since", cell: (row) => date(row.since), card: "main" },
  { title: "Until", cell: (row) => date(row.until), card: "aside" },
]

const fields: FieldSpec[] = [
  { name: "platform", label: "Platform", kind: "line", hint: "Such as website, X or Telegram." },
  { name: "handle", label: "Handle or address", kind: "line" },
  { name: "since", label: "Since", kind: "day", max: today() },
  { name: "until", label: "Until", kind: "day", max: today(), isOptional: true },
]

/** Sites of the firm and its names on platforms. */
export function Handles(props: ListProps<RegisterView>) {
  const entry = useSaveEntry("handles")
  const formOf = (row?: Handle): FormSpec => ({
    title: row ? "Edit handle" : "Add handle",
    fields,
    initial: {
      ...{ platform: row?.platform ?? "", handle: row?.handle ?? "" },
      ...{ since: row?.since ?? "", until: row?.until ?? "" },
    },
    save: (draft, keyOf) => {
      const body = bodyOf(draft, ["until"], row?.version)
      return entry.mutateAsync({ id: row?._id ?? null, body, key: keyOf(body) })
    },
    done: row ? "Handle saved" : "Handle added",
  })
  return (
    <RegisterList
      {...props}
      name="handles"
      title="Handles and sites"
      columns={columns}
      rowName={(row) => `${row.platform} ${row.handle}`}
      addLabel="Add handle"
      hint="Websites and social media handles of the firm appear here after you add them."
      states={{ open: "In use", closed: "Ended" }}
      formOf={() => formOf()}
      menuOf={(row, open) => [
        { label: "Edit", icon: <Pencil size={15} />, onSelect: () => open(formOf(row)) },
      ]}
    />
  )
}
