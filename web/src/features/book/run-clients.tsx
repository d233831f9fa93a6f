import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { FileText, Search, UserRound } from "lucide-react"
import { useCallback } from "react"
import { chooseClient } from "@/api/session"
import { count } from "@/lib/format"
import { Button } from "@/ui/button"
import { Card, Toolbar } from "@/ui/card"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { Segments } from "@/ui/form/segments"
import { type MenuEntry, steadyState, Table } from "@/ui/table/table"
import { useLastPage } from "@/ui/table/use-last-page"
import { useIsPhone } from "@/ui/use-media"
import { runClientsQuery, runFile, type RunView } from "./queries"
import { reviewColumns, sentColumns } from "./run-client-columns"
import type { Run, RunClient } from "./types"
import { useChoose } from "./use-choose"

interface RunClientsProps {
  run: Run
  view: RunView
  onView: (change: Partial<RunView>) => void
}

const selections = { "": "All", INCLUDED: "Included", LEFT_OUT: "Left out" } as const

/** The clients of a run, or those of the chosen tile. */
export function RunClients({ run, view, onView }: RunClientsProps) {
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const isReview = run.state === "REVIEW"
  const clients = useQuery({
    ...runClientsQuery(run._id, view),
    placeholderData: keepPreviousData,
  })
  const goToPage = useCallback((page: number) => onView({ page }), [onView])
  const last = useLastPage(clients, view.page, goToPage)
  const { choose, chooseTile, dialog, isBusy } = useChoose(run)

  const tile = run.tiles.find((each) => each.tile === view.show)
  const goTo = (row: RunClient, to: "/home/client/portfolio" | "/home/client/advice-history") => {
    chooseClient(row._id, row.clientId)
    void navigate({ to })
  }
  const menu = (row: RunClient): MenuEntry[] => [
    {
      label: "View details",
      icon: <Search size={15} aria-hidden="true" />,
      onSelect: () => onView({ client: row._id }),
    },
    {
      label: "Open advice",
      icon: <FileText size={15} aria-hidden="true" />,
      disabled: row.adviceId === null,
      onSelect: () => goTo(row, "/home/client/advice-history"),
    },
    {
      label: "Open client",
      icon: <UserRound size={15} aria-hidden="true" />,
      onSelect: () => goTo(row, "/home/client/portfolio"),
    },
  ]
  const isFiltered = view.query !== "" || view.show !== ""
  const isSelection = view.show === "" || view.show === "INCLUDED" || view.show === "LEFT_OUT"
  return (
    <Card flush>
      <Toolbar>
        <SearchField
          label="Search by name or client ID"
          value={view.query}
          isSearching={clients.isPlaceholderData}
          width={isPhone ? "100%" : 280}
          onSearch={(query) => onView({ query, page: 1 })}
        />
        {isReview && isSelection && (
          <Segments
            label="Selection"
            choices={selections}
            value={view.show === "INCLUDED" || view.show === "LEFT_OUT" ? view.show : ""}
            onChoice={(show) => onView({ show, page: 1 })}
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
        label="Clients of this rebalance"
        name={isReview ? "run-review" : "run-sent"}
        columns={isReview ? reviewColumns(choose) : sentColumns}
        download={(format) => runFile(run._id, view, format)}
        rows={clients.data?.data}
        rowKey={(row) => row._id}
        rowName={(row) => row.name}
        state={steadyState(clients)}
        sort={view.sort}
        onSort={(sort) => onView({ sort, page: 1 })}
        onOpen={(row) => onView({ client: row._id })}
        menu={menu}
        isMuted={(row) => !row.isIncluded}
        rowHeight={36}
        isDense
        around={380}
        skeletonRows={10}
        empty={{
          title: "No Data Available",
          hint: isFiltered ? "No client matches." : "This rebalance has no clients.",
          action: isFiltered ? (
            <Button onClick={() => onView({ query: "", show: "", page: 1 })}>Clear filters</Button>
          ) : undefined,
        }}
      />
      <Pagination
        page={Math.min(view.page, last)}
        limit={view.limit}
        total={clients.data?.pagination.totalUsers ?? 0}
        sizes={[20, 50, 100, 200]}
        onPage={goToPage}
        onLimit={(limit) => onView({ limit, page: 1 })}
        label="Pages of clients"
      />
      {dialog}
    </Card>
  )
}
