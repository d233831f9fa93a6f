import { useQuery } from "@tanstack/react-query"
import { Pencil, Plus, RotateCcw, UserCheck } from "lucide-react"
import { useState } from "react"
import { isFailure } from "@/api/client"
import { signedInQuery } from "@/api/shared-queries"
import { Button } from "@/ui/button"
import { Card, Toolbar } from "@/ui/card"
import { Segments } from "@/ui/form/segments"
import { useFailureToast } from "@/ui/overlay/use-failure-toast"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { type MenuEntry, Table } from "@/ui/table/table"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import { AddRecords } from "./add-records"
import { EditPerson } from "./edit-person"
import { columnsOf } from "./people-columns"
import { type Kind, type PeopleView, type PersonRecord, recordsFile, recordsQuery } from "./queries"
import { isRefusal, useRecordActs, wordFor } from "./use-record-acts"

interface PeopleListProps extends ListProps<PeopleView> {
  kind: Kind
  isAdmin: boolean
}

const noFilter = { query: "" }
const views = { "": "Current", deleted: "Deleted" } as const

/** One tab: the records of a kind, to add, edit, activate or deactivate, delete and restore. */
export function PeopleList({ kind, isAdmin, view, onView }: PeopleListProps) {
  const [dialog, setDialog] = useState<"add" | PersonRecord | null>(null)
  const ownEmail = useQuery(signedInQuery).data?.email
  const isDeleted = isAdmin && view.view === "deleted"
  const { page, limit, query, sort } = view
  const list = useListScreen({
    view,
    onView,
    query: recordsQuery(kind, { page, limit, query, sort, deleted: isDeleted }),
    noFilter,
  })
  const { error, dataUpdatedAt } = list.result
  const failure = isRefusal(error) ? "Failed to fetch data" : "Error fetching data"
  useFailureToast(isFailure(error) ? failure : null, dataUpdatedAt)
  const acts = useRecordActs(kind, isAdmin)
  const word = wordFor(kind)
  const add = () => setDialog("add")
  const hint = isDeleted
    ? `Deleted ${kind} appear here until you restore them.`
    : `${word}s you add appear here.`
  return (
    <Card flush>
      <Toolbar
        action={
          <Button
            kind="primary"
            icon={<Plus size={15} aria-hidden="true" />}
            data-add
            onClick={add}
          >
            Add New {word}
          </Button>
        }
      >
        <SearchField label={`Search ${kind}`} {...list.search} />
        {isAdmin && (
          <Segments
            label="Which records"
            choices={views}
            value={isDeleted ? "deleted" : ""}
            onChoice={(next: keyof typeof views) => list.filter({ view: next })}
          />
        )}
      </Toolbar>
      <Table
        {...list.table}
        label={isDeleted ? `Deleted ${kind}` : `${word}s`}
        name={`people-${kind}`}
        download={(format) => recordsFile(kind, { query, sort, deleted: isDeleted }, format)}
        columns={columnsOf({
          kind,
          isDeleted,
          own: ownEmail,
          onApprove: (record) => acts.setStatus(record, "ACTIVE"),
        })}
        rowKey={(record) => record._id}
        rowName={(record) => record.name}
        errorMessage={failure}
        menu={(record) =>
          isDeleted
            ? restoreEntries(record, acts)
            : editEntries(record, acts, record.email === ownEmail, setDialog)
        }
        menuTitle="Action"
        around={272}
        skeletonRows={10}
        empty={list.empty({
          title: "No data available",
          hint,
          action: isDeleted ? undefined : <Button onClick={add}>Add New {word}</Button>,
          noMatch: `Nobody here matches “${query}”.`,
          clearLabel: "Clear search",
        })}
      />
      <Pagination {...list.pages} sizes={[5, 10, 20, 50]} />
      {dialog === "add" && <AddRecords kind={kind} onClose={() => setDialog(null)} />}
      {dialog !== null && dialog !== "add" && (
        <EditPerson kind={kind} record={dialog} onClose={() => setDialog(null)} />
      )}
    </Card>
  )
}

type RecordActs = ReturnType<typeof useRecordActs>

const restoreEntries = (record: PersonRecord, acts: RecordActs): MenuEntry[] => [
  {
    label: "Restore",
    icon: <RotateCcw size={15} aria-hidden="true" />,
    onSelect: () => acts.restore(record),
  },
]

const editEntries = (
  record: PersonRecord,
  acts: RecordActs,
  isOwn: boolean,
  onEdit: (record: PersonRecord) => void,
): MenuEntry[] => [
  {
    label: "Edit",
    icon: <Pencil size={15} aria-hidden="true" />,
    onSelect: () => onEdit(record),
  },
  {
    label: "Status",
    icon: <UserCheck size={15} aria-hidden="true" />,
    entries: [
      {
        label: "Active",
        disabled: record.status !== "INACTIVE",
        onSelect: () => acts.setStatus(record, "ACTIVE"),
      },
      {
        label: "Inactive",
        disabled: record.status !== "ACTIVE" || isOwn,
        onSelect: () => acts.setStatus(record, "INACTIVE"),
      },
      {
        label: "Delete",
        isDanger: true,
        disabled: isOwn,
        onSelect: () => void acts.remove(record),
      },
    ],
  },
]
