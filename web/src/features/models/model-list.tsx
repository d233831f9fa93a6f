import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { FilePlus2, FolderOpen, Layers, Plus } from "lucide-react"
import { useCallback } from "react"
import { useSession } from "@/api/use-session"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { Segments } from "@/ui/form/segments"
import { type MenuEntry, steadyState, Table } from "@/ui/table/table"
import { useLastPage } from "@/ui/table/use-last-page"
import { useIsPhone } from "@/ui/use-media"
import { modelColumns } from "./model-columns"
import { ModelsNav } from "@/parts/models-nav"
import { type ModelRow, modelsQuery, type ModelsView } from "@/parts/models"
import { modelsFile } from "./queries"
import { statusEntry, useModelStatus } from "./use-model-status"

interface ModelListProps {
  view: ModelsView
  onView: (change: Partial<ModelsView>) => void
}

const statuses = { "": "All", ACTIVE: "Active", RETIRED: "Retired" } as const

/** The firm's model portfolios with their newest version, subscribers and worst drift. */
export function ModelList({ view, onView }: ModelListProps) {
  usePageTitle("Models")
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const isAdmin = useSession("role") === "ADMIN"
  const models = useQuery({ ...modelsQuery(view), placeholderData: keepPreviousData })
  const goToPage = useCallback((page: number) => onView({ page }), [onView])
  const last = useLastPage(models, view.page, goToPage)
  const changeStatus = useModelStatus()

  const open = ({ _id: modelId }: ModelRow) =>
    void navigate({ to: "/home/models/$modelId", params: { modelId } })
  const add = () => void navigate({ to: "/home/models/new" })
  const menu = (model: ModelRow): MenuEntry[] => [
    {
      label: "Open",
      icon: <FolderOpen size={15} aria-hidden="true" />,
      onSelect: () => open(model),
    },
    {
      label: "New version",
      icon: <FilePlus2 size={15} aria-hidden="true" />,
      onSelect: () =>
        void navigate({ to: "/home/models/$modelId/version", params: { modelId: model._id } }),
    },
    {
      label: "Rebalance the book",
      icon: <Layers size={15} aria-hidden="true" />,
      disabled: model.status === "RETIRED" || model.subscribers === 0,
      onSelect: () =>
        void navigate({ to: "/home/models/book", search: { model: model._id, start: true } }),
    },
    statusEntry(model, () => void changeStatus(model)),
  ]
  const addButton = (
    <Button kind="primary" icon={<Plus size={15} aria-hidden="true" />} data-add onClick={add}>
      New model
    </Button>
  )
  const isFiltered = view.query !== "" || view.status !== ""
  return (
    <Screen>
      <ModelsNav />
      <Card flush>
        <Toolbar action={isAdmin ? addButton : undefined}>
          <SearchField
            label="Search models"
            value={view.query}
            isSearching={models.isPlaceholderData}
            width={isPhone ? "100%" : 280}
            onSearch={(query) => onView({ query, page: 1 })}
          />
          <Segments
            label="Status"
            choices={statuses}
            value={view.status}
            onChoice={(status) => onView({ status, page: 1 })}
          />
        </Toolbar>
        <Table
          label="Models"
          name="models"
          columns={modelColumns}
          download={(format) => modelsFile(view, format)}
          rows={models.data?.data}
          rowKey={(model) => model._id}
          rowName={(model) => model.name}
          state={steadyState(models)}
          onOpen={open}
          menu={isAdmin ? menu : undefined}
          around={280}
          skeletonRows={6}
          empty={
            isFiltered
              ? {
                  title: "No Data Available",
                  hint: "No model matches.",
                  action: (
                    <Button onClick={() => onView({ query: "", status: "", page: 1 })}>
                      Clear filters
                    </Button>
                  ),
                }
              : {
                  title: "No Data Available",
                  hint: "A model portfolio is a named list of targets that clients follow.",
                  action: isAdmin ? <Button onClick={add}>New model</Button> : undefined,
                }
          }
        />
        <Pagination
          page={Math.min(view.page, last)}
          limit={view.limit}
          total={models.data?.pagination.totalUsers ?? 0}
          sizes={[20, 50, 100]}
          onPage={goToPage}
          onLimit={(limit) => onView({ limit, page: 1 })}
          label="Pages of models"
        />
      </Card>
    </Screen>
  )
}
