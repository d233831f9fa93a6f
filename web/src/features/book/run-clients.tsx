import { FileText, Search, UserRound } from "lucide-react"
import { count } from "@/lib/format"
import { useOpenClient } from "@/parts/use-open-client"
import { Button } from "@/ui/button"
import { Card, Toolbar } from "@/ui/card"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { Segments } from "@/ui/form/segments"
import { type MenuEntry, Table } from "@/ui/table/table"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import { runClientsQuery, runFile, type RunView } from "./queries"
import { reviewColumns, sentColumns } from "./run-client-columns"
import type { Run, RunClient } from "./types"
import { useChoose } from "./use-choose"

interface RunClientsProps extends ListProps<RunView> {
  run: Run
}

const noFilter = { query: "", show: "" } as const

const selections = { "": "All", INCLUDED: "Included", LEFT_OUT: "Left out" } as const

/** The clients of a run, or those of the chosen tile. */
export function RunClients({ run, view, onView }: RunClientsProps) {
  const openClient = useOpenClient()
  const isReview = run.state === "REVIEW"
  const list = useListScreen({ view, onView, query: runClientsQuery(run._id, view), noFilter })
  const { choose, chooseTile, dialog, isBusy } = useChoose(run)

  const tile = run.tiles.find((each) => each.tile === view.show)
  const menu = (row: RunClient): MenuEntry[] => [
    {
      label: "View details",
      icon: <Search size={15} />,
      onSelect: () => onView({ client: row._id }),
    },
    {
      label: "Open advice",
      icon: <FileText size={15} />,
      disabled: row.adviceId === null,
      onSelect: () => openClient(row, "/home/client/advice-history"),
    },
    {
      label: "Open client",
      icon: <UserRound size={15} />,
      onSelect: () => openClient(row),
    },
  ]
  const isSelection = view.show === "" || view.show === "INCLUDED" || view.show === "LEFT_OUT"
  return (
    <Card flush>
      <Toolbar>
        <SearchField label="Search by name or client ID" {...list.search} />
        {isReview && isSelection && (
          <Segments
            label="Selection"
            choices={selections}
            value={view.show === "INCLUDED" || view.show === "LEFT_OUT" ? view.show : ""}
            onChoice={(show: keyof typeof selections) => list.filter({ show })}
          />
        )}
        {isReview && tile && tile.canBeSent > tile.included && (
          <Button isBusy={isBusy} onClick={() => chooseTile(tile, true)}>
            Include all {count(tile.canBeSent)}
          </Button>
        )}
        {isReview && tile && tile.included > 0 && (
          <Button isBusy={isBusy} onClick={() => chooseTile(tile, false)}>
            Leave out all {count(tile.included)}
          </Button>
        )}
      </Toolbar>
      <Table
        {...list.table}
        label="Clients of this rebalance"
        name={isReview ? "run-review" : "run-sent"}
        columns={isReview ? reviewColumns(choose) : sentColumns}
        download={(format) => runFile(run._id, view, format)}
        rowKey={(row) => row._id}
        rowName={(row) => row.name}
        onOpen={(row) => onView({ client: row._id })}
        menu={menu}
        isMuted={(row) => !row.isIncluded}
        rowHeight={36}
        isDense
        around={380}
        skeletonRows={10}
        empty={list.empty({
          hint: "This rebalance has no clients.",
          noMatch: "No client matches.",
        })}
      />
      <Pagination {...list.pages} sizes={[20, 50, 100, 200]} label="Pages of clients" />
      {dialog}
    </Card>
  )
}
