import { useQuery } from "@tanstack/react-query"
import { Megaphone, Pencil } from "lucide-react"
import { date, today } from "@/lib/dates"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import type { ListProps } from "@/ui/table/use-list-screen"
import { bodyOf, type FieldSpec } from "./fields"
import type { FormSpec } from "./entry-form"
import { FlaggedText } from "./flagged-text"
import { type Advertisement, type RegisterView, useSaveEntry, wordingQuery } from "./queries"
import { RegisterList } from "./register-list"

function stateOf(row: Advertisement) {
  if (row.releasedOn !== null) return <StatusPill word="Released" tone="gain" />
  if (row.approvalNumber !== "") return <StatusPill word="Approved" tone="brand" />
  return <StatusPill word={row.needsApproval ? "Needs approval" : "Draft"} tone="warn" />
}

const columns: Column<Advertisement>[] = [
  { title: "Title", cell: (row) => <strong>{row.title}</strong>, card: "title" },
  { title: "Medium", cell: (row) => row.medium, card: "note" },
  {
    title: "Text",
    cell: (row) => <FlaggedText text={row.text} flagged={row.flagged} />,
    card: "rest",
  },
  {
    title: "Flagged",
    cell: (row) =>
      row.flagged.length === 0 ? (
        "-"
      ) : (
        <span className="loss">{row.flagged.map(({ word }) => word).join(", ")}</span>
      ),
    card: "rest",
  },
  { title: "Approval", cell: (row) => row.approvalNumber || "-", card: "rest" },
  { title: "Approved", cell: (row) => date(row.approvedOn), card: "rest" },
  { title: "Released", cell: (row) => date(row.releasedOn), card: "aside" },
  { title: "Status", cell: stateOf, card: "main" },
]

/** The words of a text that are on the firm's list, while it is typed. */
function WordingCheck({ text }: { text: string }) {
  const flagged = useQuery(wordingQuery(text)).data
  if (text.trim() === "" || !flagged) return "Words such as assured or best are flagged."
  if (flagged.length === 0) return "No word of the list is in the text."
  return (
    <span className="loss" role="status">
      Flagged: {flagged.map(({ word, start }) => `${word} (character ${start + 1})`).join(", ")}
    </span>
  )
}

const fields: FieldSpec[] = [
  { name: "title", label: "Title", kind: "line" },
  { name: "medium", label: "Medium", kind: "line", hint: "Such as website, YouTube or print." },
  {
    name: "text",
    label: "Text",
    kind: "text",
    hint: ({ text }) => <WordingCheck text={text ?? ""} />,
  },
  { name: "approvalNumber", label: "Approval number", kind: "line", isOptional: true },
  { name: "approvedOn", label: "Approved on", kind: "day", max: today(), isOptional: true },
]

/** The register of advertisements; words of the list are marked. */
export function Advertisements(props: ListProps<RegisterView>) {
  const entry = useSaveEntry("advertisements")
  const formOf = (row?: Advertisement): FormSpec => ({
    title: row ? "Edit advertisement" : "Add advertisement",
    fields,
    initial: {
      ...{ title: row?.title ?? "", medium: row?.medium ?? "", text: row?.text ?? "" },
      ...{ approvalNumber: row?.approvalNumber ?? "", approvedOn: row?.approvedOn ?? "" },
    },
    save: (draft, keyOf) => {
      const body = bodyOf(draft, ["approvedOn"], row?.version)
      return entry.mutateAsync({ id: row?._id ?? null, body, key: keyOf(body) })
    },
    done: row ? "Advertisement saved" : "Advertisement added",
  })
  const releaseOf = (row: Advertisement): FormSpec => ({
    title: `Release ${row.title}`,
    fields: [{ name: "releasedOn", label: "Released on", kind: "day", max: today() }],
    initial: { releasedOn: today() },
    submitLabel: "Record release",
    save: (draft, keyOf) => {
      const body = bodyOf(draft, [], row.version)
      return entry.mutateAsync({ id: row._id, act: "release", body, key: keyOf(body) })
    },
    done: "Release recorded",
  })
  return (
    <RegisterList
      {...props}
      name="advertisements"
      title="Advertisements"
      columns={columns}
      rowName={(row) => row.title}
      addLabel="Add advertisement"
      hint="Advertisements you add appear here, with the words that need a second look."
      states={{ open: "Not released", closed: "Released" }}
      formOf={() => formOf()}
      menuOf={(row, open) => [
        {
          label: "Edit",
          icon: <Pencil size={15} />,
          disabled: row.releasedOn !== null,
          onSelect: () => open(formOf(row)),
        },
        {
          label: "Record release",
          icon: <Megaphone size={15} />,
          disabled: row.releasedOn !== null,
          onSelect: () => open(releaseOf(row)),
        },
      ]}
    />
  )
}
