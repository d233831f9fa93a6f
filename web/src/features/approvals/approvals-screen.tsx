import { dateTime } from "@/lib/dates"
import { Card, Screen, Toolbar } from "@/ui/card"
import { Segments } from "@/ui/form/segments"
import { usePageTitle } from "@/ui/page-title"
import { StatusPill } from "@/ui/status-pill"
import { Pagination } from "@/ui/table/pagination"
import { type Column, Table } from "@/ui/table/table"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import { ApprovalDrawer } from "./approval-drawer"
import { type Approval, approvalsQuery, type ApprovalsView } from "./queries"
import { actionWords, stateTones, stateWords } from "./words"

const shown = { WAITING: "Waiting", "": "All" } as const
const noFilter = { state: "" as const }

const columns: Column<Approval>[] = [
  { title: "Request", cell: (row) => <strong>{row.about}</strong>, card: "title", width: 360 },
  { title: "Kind", cell: (row) => actionWords[row.action], card: "rest" },
  { title: "Asked by", cell: (row) => row.askedBy, card: "note" },
  { title: "Asked", cell: (row) => dateTime(row.askedAt), card: "rest" },
  {
    title: "State",
    cell: (row) => <StatusPill word={stateWords[row.state]} tone={stateTones[row.state]} />,
    card: "main",
  },
  { title: "Decided by", cell: (row) => row.decidedBy || "-", card: "rest" },
  { title: "Decided", cell: (row) => dateTime(row.decidedAt), card: "rest" },
]

/** What was asked for, who asked, and who decided what. */
export function ApprovalsScreen({ view, onView }: ListProps<ApprovalsView>) {
  usePageTitle("Approvals")
  const list = useListScreen({ view, onView, query: approvalsQuery(view), noFilter })
  const open = (id: string) => onView({ open: id }, view.open !== "")
  return (
    <Screen>
      <Card flush>
        <Toolbar>
          <Segments
            label="Show"
            choices={shown}
            value={view.state === "WAITING" ? "WAITING" : ""}
            onChoice={(state) => onView({ state, page: 1 })}
          />
        </Toolbar>
        <Table
          {...list.table}
          label="Approvals"
          name="approvals"
          columns={columns}
          rowKey={(row) => row._id}
          rowName={(row) => row.about}
          onOpen={(row) => open(row._id)}
          around={220}
          skeletonRows={5}
          empty={list.empty({
            hint: "What needs a second administrator is chosen in Settings, Second approval. Requests appear here.",
            noMatch: "No request waits.",
            clearLabel: "Show all",
          })}
        />
        <Pagination {...list.pages} sizes={[20, 50, 100]} label="Pages of approvals" />
      </Card>
      {view.open !== "" && (
        <ApprovalDrawer
          id={view.open}
          rows={list.table.rows ?? []}
          onApproval={(id) => (id === "" ? onView({ open: "" }, true) : open(id))}
        />
      )}
    </Screen>
  )
}
