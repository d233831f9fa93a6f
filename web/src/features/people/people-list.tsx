import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { getRouteApi } from "@tanstack/react-router"
import { Pencil, Plus, RotateCcw, UserCheck } from "lucide-react"
import { useCallback, useState } from "react"
import { isFailure } from "@/api/client"
import { signedInQuery } from "@/api/shared-queries"
import { Button } from "@/ui/button"
import { Card, Toolbar } from "@/ui/card"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { Segments } from "@/ui/form/segments"
import { type MenuEntry, steadyState, Table } from "@/ui/table/table"
import { useFailureToast } from "@/ui/overlay/use-failure-toast"
import { useLastPage } from "@/ui/table/use-last-page"
import { useIsPhone } from "@/ui/use-media"
import { AddRecords } from "./add-records"
import { EditPerson } from "./edit-person"
import { columnsOf } from "./people-columns"
import { type Kind, type PersonRecord, recordsFile, recordsQuery } from "./queries"
import { isRefusal, useRecordActs, wordFor } from "./use-record-acts"

const route = getRouteApi("/home/roles-permission")
const idOf = (record: PersonRecord) => record._id
const views = { "": "Current", deleted: "Deleted" }

/** One tab: the records of a kind, to be added, edited, switched off, deleted and brought back. */
export function PeopleList({ kind, isAdmin }: { kind: Kind; isAdmin: boolean }) {
  const search = route.useSearch()
  const go = route.useNavigate()
  const isPhone = useIsPhone()
  const [dialog, setDialog] = useState<"add" | PersonRecord | null>(null)
  const own = useQuery(signedInQuery).data?.email
  const isDeleted = isAdmin && search.view === "deleted"
  const { page, limit, query, sort } = search
  const records = useQuery({
    ...recordsQuery(kind, { page, limit, query, sort, deleted: isDeleted }),
    placeholderData: keepPreviousData,
  })
  const acts = useRecordActs(kind, isAdmin)
  const failure = isRefusal(records.error) ? "Failed to fetch data" : "Error fetching data"
  useFailureToast(isFailure(records.error) ? failure : null, records.dataUpdatedAt)
  const show = (change: Partial<typeof search>) =>
    void go({ search: (old) => ({ ...old, page: 1, ...change }) })

  const turnBack = useCallback(
    (last: number) => void go({ search: (old) => ({ ...old, page: last }), replace: true }),
    [go],
  )
  useLastPage(records, page, turnBack)

  const menu = (record: PersonRecord): MenuEntry[] =>
    isDeleted
      ? [
          {
            label: "Restore",
            icon: <RotateCcw size={15} aria-hidden="true" />,
            onSelect: () => acts.restore(record),
          },
        ]
      : [
          {
            label: "Edit",
            icon: <Pencil size={15} aria-hidden="true" />,
            onSelect: () => setDialog(record),
          },
          {
            label: "Status",
            icon: <UserCheck size={15} aria-hidden="true" />,
            entries: [
              {
                label: "Active",
                disabled: record.status === "ACTIVE",
                onSelect: () => acts.setStatus(record, "ACTIVE"),
              },
              {
                label: "Inactive",
                disabled: record.status === "INACTIVE" || record.email === own,
                onSelect: () => acts.setStatus(record, "INACTIVE"),
              },
              {
                label: "Delete",
                isDanger: true,
                disabled: record.email === own,
                onSelect: () => void acts.remove(record),
              },
            ],
          },
        ]
  const word = wordFor(kind)
  const add = () => setDialog("add")
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
        <SearchField
          label={`Search ${kind}`}
          value={query}
          isSearching={records.isPlaceholderData}
          width={isPhone ? "100%" : 280}
          onSearch={(text) =>
            void go({ search: (old) => ({ ...old, query: text, page: 1 }), replace: true })
          }
        />
        {isAdmin && (
          <Segments
            label="Which records"
            choices={views}
            value={isDeleted ? "deleted" : ""}
            onChoice={(view) => show({ view })}
          />
        )}
      </Toolbar>
      <Table
        label={isDeleted ? `Deleted ${kind}` : `${word}s`}
        name={`people-${kind}`}
        download={(format) => recordsFile(kind, { query, sort, deleted: isDeleted }, format)}
        columns={columnsOf({
          kind,
          isDeleted,
          own,
          onApprove: (record) => acts.setStatus(record, "ACTIVE"),
        })}
        rows={records.data?.data}
        rowKey={idOf}
        rowName={(record) => record.name}
        state={steadyState(records)}
        errorMessage={failure}
        sort={sort}
        onSort={(next) => show({ sort: next })}
        menu={menu}
        menuTitle="Action"
        around={272}
        skeletonRows={10}
        empty={emptyText(kind, query, isDeleted, {
          add: <Button onClick={add}>Add New {word}</Button>,
          clear: <Button onClick={() => show({ query: "" })}>Clear search</Button>,
        })}
      />
      <Pagination
        page={page}
        limit={limit}
        total={records.data?.pagination.totalUsers ?? 0}
        sizes={[5, 10, 20, 50]}
        onPage={(next) => show({ page: next })}
        onLimit={(next) => show({ limit: next })}
      />
      {dialog === "add" && <AddRecords kind={kind} onClose={() => setDialog(null)} />}
      {dialog !== null && dialog !== "add" && (
        <EditPerson kind={kind} record={dialog} onClose={() => setDialog(null)} />
      )}
    </Card>
  )
}

interface Offers {
  add: React.ReactNode
  clear: React.ReactNode
}

function emptyText(kind: Kind, query: string, isDeleted: boolean, { add, clear }: Offers) {
  const title = "No data available"
  if (query !== "") return { title, hint: `Nobody here matches “${query}”.`, action: clear }
  if (isDeleted) return { title, hint: `Deleted ${kind} stand here until they are restored.` }
  return { title, hint: `${wordFor(kind)}s that you add stand here.`, action: add }
}
