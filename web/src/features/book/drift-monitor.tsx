import { useNavigate } from "@tanstack/react-router"
import { FolderOpen, Layers, Scale, UserRound } from "lucide-react"
import { useSession } from "@/api/use-session"
import { useOpenClient } from "@/parts/use-open-client"
import { Card, Screen, Toolbar } from "@/ui/card"
import { Segments } from "@/ui/form/segments"
import { GoTo } from "@/ui/go-to"
import { useAmountsHidden } from "@/ui/money"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { type MenuEntry, Table } from "@/ui/table/table"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import { driftColumns } from "./drift-columns"
import { ModelChoice } from "./model-choice"
import { ModelsNav } from "@/parts/models-nav"
import { type DriftRow, type DriftView, driftQuery } from "@/parts/models"
import { driftFile } from "./queries"

const noFilter = { query: "", model: "", outside: false }
const shows = { all: "All", outside: "Outside tolerance" } as const

/** How far each subscriber is from the newest version of the model, the furthest first. */
export function DriftMonitor({ view, onView }: ListProps<DriftView>) {
  usePageTitle("Drift")
  useAmountsHidden()
  const navigate = useNavigate()
  const openClient = useOpenClient()
  const isAdmin = useSession("role") === "ADMIN"
  const list = useListScreen({ view, onView, query: driftQuery(view), noFilter })

  const menu = (row: DriftRow): MenuEntry[] => [
    { label: "Open client", icon: <UserRound size={15} />, onSelect: () => openClient(row) },
    {
      label: "Open model",
      icon: <FolderOpen size={15} />,
      onSelect: () =>
        void navigate({ to: "/home/models/$modelId", params: { modelId: row.modelId } }),
    },
    ...(isAdmin
      ? [
          {
            label: `Advise only ${row.clientId}`,
            icon: <Scale size={15} />,
            onSelect: () =>
              void navigate({ to: "/home/advice", state: { username: row.clientId } }),
          },
          {
            label: `Rebalance all clients of ${row.modelName}`,
            icon: <Layers size={15} />,
            onSelect: () =>
              void navigate({
                to: "/home/models/book",
                search: { model: row.modelId, start: true },
              }),
          },
        ]
      : []),
  ]
  return (
    <Screen>
      <ModelsNav />
      <Card flush>
        <Toolbar>
          <SearchField label="Search by name or client ID" {...list.search} />
          <ModelChoice value={view.model} onChoice={(model) => list.filter({ model })} />
          <Segments
            label="Drift"
            choices={shows}
            value={view.outside ? "outside" : "all"}
            onChoice={(choice) => list.filter({ outside: choice === "outside" })}
          />
        </Toolbar>
        <Table
          {...list.table}
          label="Drift"
          name="drift"
          isDense
          columns={driftColumns}
          download={(format) => driftFile(view, format)}
          rowKey={(row) => row._id}
          rowName={(row) => row.name}
          onOpen={(row) => openClient(row)}
          menu={menu}
          around={280}
          skeletonRows={10}
          empty={list.empty({
            hint: "Clients following a model appear here.",
            action: <GoTo to="/home/models">Go to Models</GoTo>,
            noMatch: "No subscriber matches.",
          })}
        />
        <Pagination {...list.pages} sizes={[20, 50, 100, 200]} label="Pages of clients" />
      </Card>
    </Screen>
  )
}
