import { useQuery } from "@tanstack/react-query"
import { Pencil } from "lucide-react"
import { date, today } from "@/lib/dates"
import { toastError } from "@/parts/toast-error"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { toast } from "@/ui/overlay/toast"
import type { Column } from "@/ui/table/table"
import type { ListProps } from "@/ui/table/use-list-screen"
import { bodyOf, type FieldSpec } from "./fields"
import type { FormSpec } from "./entry-form"
import {
  type RegisterView,
  sentenceQuery,
  type Tool,
  useSaveEntry,
  useTakeSentence,
} from "./queries"
import { RegisterList } from "./register-list"
import styles from "./registers.module.css"

const columns: Column<Tool>[] = [
  { title: "Tool", cell: (row) => <strong>{row.name}</strong>, card: "title" },
  {
    title: "Extent",
    cell: (row) => <span className={styles.wrap}>{row.extent}</span>,
    card: "rest",
  },
  { title: "Since", cell: (row) => date(row.since), card: "main" },
  { title: "Until", cell: (row) => date(row.until), card: "note" },
]

const fields: FieldSpec[] = [
  { name: "name", label: "Tool", kind: "line" },
  {
    name: "extent",
    label: "Extent",
    kind: "text",
    hint: "A sentence for letters: what it does, and what it does not.",
  },
  { name: "extentHi", label: "The same in Hindi", kind: "text", isOptional: true },
  { name: "since", label: "Since", kind: "day", max: today() },
  { name: "until", label: "Until", kind: "day", max: today(), isOptional: true },
]

/** What letters say of AI tools, and how they come to say what the register says. */
function Sentence() {
  const sentence = useQuery(sentenceQuery).data
  const take = useTakeSentence()
  if (!sentence) return null
  const use = () =>
    take.mutate(undefined, {
      onSuccess: () => toast.success("Letters carry the register's sentence."),
      onError: toastError,
    })
  const canTake = sentence.isOwnText && sentence.fromRegister !== ""
  return (
    <Card
      title="Use of AI in letters and on the client's page"
      actions={
        canTake && (
          <Button isBusy={take.isPending} onClick={use}>
            Use the register&apos;s sentence
          </Button>
        )
      }
    >
      <p>{sentence.letters || "Nothing yet: enter the first tool, or the firm's own words."}</p>
      {canTake && <p className="muted">From the register: {sentence.fromRegister}</p>}
    </Card>
  )
}

/** The register of AI tools; letters carry its sentence. */
export function AiTools(props: ListProps<RegisterView>) {
  const entry = useSaveEntry("ai-tools")
  const formOf = (row?: Tool): FormSpec => ({
    title: row ? "Edit AI tool" : "Add AI tool",
    fields,
    initial: {
      ...{ name: row?.name ?? "", extent: row?.extent ?? "", extentHi: row?.extentHi ?? "" },
      ...{ since: row?.since ?? "", until: row?.until ?? "" },
    },
    save: (draft, keyOf) => {
      const body = bodyOf(draft, ["until"], row?.version)
      return entry.mutateAsync({ id: row?._id ?? null, body, key: keyOf(body) })
    },
    done: row ? "AI tool saved" : "AI tool added",
  })
  return (
    <RegisterList
      {...props}
      name="ai-tools"
      title="AI use"
      columns={columns}
      rowName={(row) => row.name}
      addLabel="Add AI tool"
      hint="AI tools the firm uses appear here. Letters say so."
      states={{ open: "In use", closed: "Ended" }}
      formOf={() => formOf()}
      menuOf={(row, open) => [
        { label: "Edit", icon: <Pencil size={15} />, onSelect: () => open(formOf(row)) },
      ]}
      notice={<Sentence />}
    />
  )
}
