import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { FolderOpen, Layers, Scale, UserRound } from "lucide-react"
import { useCallback } from "react"
import { chooseClient } from "@/api/session"
import { useSession } from "@/api/use-session"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { useAmountsHidden } from "@/ui/money"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { type MenuEntry, steadyState, Table } from "@/ui/table/table"
import { useLastPage } from "@/ui/table/use-last-page"
import { useIsPhone } from "@/ui/use-media"
import { driftColumns } from "./drift-columns"
import { ModelChoice } from "./model-choice"
import { ModelsNav } from "@/parts/models-nav"
import { type DriftRow, type DriftView, driftQuery } from "@/parts/models"
import { driftFile } from "./queries"

interface DriftMonitorProps {
  view: DriftView
  onView: (change: Partial<DriftView>) => void
}

/** How far each subscriber is from the newest version of the model, the furthest first. */
export function DriftMonitor({ view, onView }: DriftMonitorProps) {
  usePageTitle("Drift")
  useAmountsHidden()
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const isAdmin = useSession("role") === "ADMIN"
  const drifts = useQuery({ ...driftQuery(view), placeholderData: keepPreviousData })
  const goToPage = useCallback((page: number) => onView({ page }), [onView])
  const last = useLastPage(drifts, view.page, goToPage)

  const open = (row: DriftRow) => {
    chooseClient(row._id, row.clientId)
    void navigate({ to: "/home/client/portfolio" })
  }
  const menu = (row: DriftRow): MenuEntry[] => [
    {
      label: "Open client",
      icon: <UserRound size={15} aria-hidden="true" />,
      onSelect: () => open(row),
    },
    {
      label: "Open model",
      icon: <FolderOpen size={15} aria-hidden="true" />,
      onSelect: () =>
        void navigate({ to: "/home/models/$modelId", params: { modelId: row.modelId } }),
    },
    ...(isAdmin
      ? [
          {
            label: `Advise only ${row.clientId}`,
            icon: <Scale size={15} aria-hidden="true" />,
            onSelect: () =>
              void navigate({ to: "/home/advice", state: { username: row.clientId } }),
          },
          {
            label: `Rebalance all clients of ${row.modelName}`,
            icon: <Layers size={15} aria-hidden="true" />,
            onSelect: () =>
              void navigate({
                to: "/home/models/book",
                search: { model: row.modelId, start: true },
              }),
          },
        ]
      : []),
  ]
  const isFiltered = view.query !== "" || view.model !== ""
  return (
    <Screen>
      <ModelsNav />
      <Card flush>
        <Toolbar>
          <SearchField
            label="Search by name or client ID"
            value={view.query}
            isSearching={drifts.isPlaceholderData}
            width={isPhone ? "100%" : 280}
            onSearch={(query) => onView({ query, page: 1 })}
          />
          <ModelChoice value={view.model} onChoice={(model) => onView({ model, page: 1 })} />
        </Toolbar>
        <Table
          label="Drift"
          name="drift"
          columns={driftColumns}
          download={(format) => driftFile(view, format)}
          rows={drifts.data?.data}
          rowKey={(row) => row._id}
          rowName={(row) => row.name}
          state={steadyState(drifts)}
          onOpen={open}
          menu={menu}
          around={280}
          skeletonRows={10}
          empty={
            isFiltered
              ? {
                  title: "No Data Available",
                  hint: "No subscriber matches.",
                  action: (
                    <Button onClick={() => onView({ query: "", model: "", page: 1 })}>
                      Clear filters
                    </Button>
                  ),
                }
              : {
                  title: "No Data Available",
                  hint: "Clients following a model appear here.",
                }
          }
        />
        <Pagination
          page={Math.min(view.page, last)}
          limit={view.limit}
          total={drifts.data?.pagination.totalUsers ?? 0}
          sizes={[20, 50, 100, 200]}
          onPage={goToPage}
          onLimit={(limit) => onView({ limit, page: 1 })}
          label="Pages of clients"
        />
      </Card>
    </Screen>
  )
}
