import { useNavigate } from "@tanstack/react-router"
import { FilePlus2, FolderOpen, Layers, Plus } from "lucide-react"
import { useSession } from "@/api/use-session"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { Segments } from "@/ui/form/segments"
import { type MenuEntry, Table } from "@/ui/table/table"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import { modelColumns } from "./model-columns"
import { ModelsNav } from "@/parts/models-nav"
import { type ModelRow, modelsQuery, type ModelsView } from "@/parts/models"
import { modelsFile } from "./queries"
import { statusEntry, useModelStatus } from "./use-model-status"

const noFilter = { query: "", status: "" } as const
const statuses = { "": "All", ACTIVE: "Active", RETIRED: "Retired" } as const

/** The firm's model portfolios with their newest version, subscribers and worst drift. */
export function ModelList({ view, onView }: ListProps<ModelsView>) {
  usePageTitle("Models")
  const navigate = useNavigate()
  const isAdmin = useSession("role") === "ADMIN"
  const list = useListScreen({ view, onView, query: modelsQuery(view), noFilter })
  const changeStatus = useModelStatus()

  const open = ({ _id: modelId }: ModelRow) =>
    void navigate({ to: "/home/models/$modelId", params: { modelId } })
  const add = () => void navigate({ to: "/home/models/new" })
  const menu = (model: ModelRow): MenuEntry[] => [
    { label: "Open", icon: <FolderOpen size={15} />, onSelect: () => open(model) },
    {
      label: "New version",
      icon: <FilePlus2 size={15} />,
      onSelect: () =>
        void navigate({ to: "/home/models/$modelId/version", params: { modelId: model._id } }),
    },
    {
      label: "Rebalance the book",
      icon: <Layers size={15} />,
      disabled: model.status === "RETIRED" || model.subscribers === 0,
      onSelect: () =>
        void navigate({ to: "/home/models/book", search: { model: model._id, start: true } }),
    },
    statusEntry(model, () => void changeStatus(model)),
  ]
  const addButton = (
    <Button kind="primary" icon={<Plus size={15} />} data-add onClick={add}>
      New model
    </Button>
  )
  return (
    <Screen>
      <ModelsNav />
      <Card flush>
        <Toolbar action={isAdmin ? addButton : undefined}>
          <SearchField label="Search models" {...list.search} />
          <Segments
            label="Status"
            choices={statuses}
            value={view.status}
            onChoice={(status: keyof typeof statuses) => list.filter({ status })}
          />
        </Toolbar>
        <Table
          {...list.table}
          label="Models"
          name="models"
          columns={modelColumns}
          download={(format) => modelsFile(view, format)}
          rowKey={(model) => model._id}
          rowName={(model) => model.name}
          onOpen={open}
          menu={isAdmin ? menu : undefined}
          around={280}
          skeletonRows={6}
          empty={list.empty({
            hint: isAdmin
              ? "A model portfolio is a named list of targets that clients follow."
              : "A model portfolio is a named list of targets that clients follow. An administrator adds it.",
            action: isAdmin ? <Button onClick={add}>New model</Button> : undefined,
            noMatch: "No model matches.",
          })}
        />
        <Pagination {...list.pages} sizes={[20, 50, 100]} label="Pages of models" />
      </Card>
    </Screen>
  )
}
