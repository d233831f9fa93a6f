import { FileText, Link2, Link2Off, Scale, Search } from "lucide-react"
import { useSession } from "@/api/use-session"
import { today } from "@/lib/dates"
import type { FollowUpRow } from "@/parts/follow-up"
import { useFreshFollowUp } from "@/parts/use-fresh-follow-up"
import { useOpenClient } from "@/parts/use-open-client"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { DateRangeField } from "@/ui/form/date-range-field"
import { GoTo } from "@/ui/go-to"
import { useAmountsHidden } from "@/ui/money"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { type MenuEntry, Table } from "@/ui/table/table"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import { boardColumnSets, boardColumns } from "./board-columns"
import { BoardTiles } from "./board-tiles"
import { DraftAll } from "./draft-all"
import { ExecutionDrawer } from "./execution-drawer"
import { FollowUpNav } from "./follow-up-nav"
import { ModelChoice } from "./model-choice"
import { boardFile, boardQuery, type BoardView } from "./queries"
import { mayBeLeft, useAdviceActs } from "./use-advice-acts"

const noFilter = { query: "", from: "", to: "", state: "", model: "" } as const

/** What became of each advice; a tile shows one state, a row opens to its lines and trades. */
export function FollowUpBoard({ view, onView }: ListProps<BoardView>) {
  usePageTitle("Follow-up")
  useAmountsHidden()
  useFreshFollowUp()
  const isAdmin = useSession("role") === "ADMIN"
  const openClient = useOpenClient()
  const list = useListScreen({ view, onView, query: boardQuery(view), noFilter })
  const { draft, makeLink, endLink, dialog } = useAdviceActs()
  const board = list.result.data

  const open = (row: FollowUpRow) => onView({ advice: row._id })
  const menu = (row: FollowUpRow): MenuEntry[] => [
    { label: "View details", icon: <Search size={15} />, onSelect: () => open(row) },
    ...(isAdmin
      ? [
          {
            label: "Draft follow-up",
            icon: <Scale size={15} />,
            disabled: !mayBeLeft(row),
            onSelect: () => draft(row),
          },
          { label: "Copy client link", icon: <Link2 size={15} />, onSelect: () => makeLink(row) },
          { label: "End link", icon: <Link2Off size={15} />, onSelect: () => void endLink(row) },
        ]
      : []),
    {
      label: "Open advice history",
      icon: <FileText size={15} />,
      onSelect: () =>
        openClient({ _id: row.userId, clientId: row.clientId }, "/home/client/advice-history"),
    },
  ]
  return (
    <Screen>
      <FollowUpNav />
      <BoardTiles
        tiles={board?.tiles}
        shown={view.state}
        onShow={(state) => list.filter({ state })}
      />
      <Card flush>
        <Toolbar action={isAdmin && <DraftAll view={view} total={list.pages.total} />}>
          <SearchField label="Search by name or client ID" {...list.search} />
          <ModelChoice
            models={board?.models ?? []}
            value={view.model}
            onChange={(model) => list.filter({ model })}
          />
          <DateRangeField
            label="Dates sent"
            value={list.dates.range}
            today={today()}
            onRange={list.dates.onRange}
          />
          {list.dates.range && (
            <Button kind="subtle" onClick={() => list.dates.onRange(null)}>
              Clear dates
            </Button>
          )}
        </Toolbar>
        <Table
          {...list.table}
          label="Advice sent"
          name="follow-up"
          columns={boardColumns}
          columnSets={boardColumnSets}
          download={(format) => boardFile(view, format)}
          rowKey={(row) => row._id}
          rowName={(row) => row.name}
          onOpen={open}
          menu={menu}
          isDense
          around={390}
          skeletonRows={10}
          empty={list.empty({
            hint: "Advice you send appears here, with what each client did.",
            action: isAdmin && <GoTo to="/home/advice">Go to Advice</GoTo>,
            noMatch: "No advice matches these filters.",
          })}
        />
        <Pagination {...list.pages} sizes={[20, 50, 100, 200]} label="Pages of the advice" />
      </Card>
      {view.advice !== "" && (
        <ExecutionDrawer
          adviceId={view.advice}
          rows={board?.data ?? []}
          onAdvice={(advice) => onView({ advice })}
        />
      )}
      {dialog}
    </Screen>
  )
}
