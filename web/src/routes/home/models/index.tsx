import { createFileRoute, type SearchSchemaInput, stripSearchParams } from "@tanstack/react-router"
import { useCallback } from "react"
import { listSearch } from "@/app/list-search"
import { ModelList } from "@/features/models/model-list"
import { MODELS_PAGE, type ModelsView } from "@/parts/models"

const plain: ModelsView = { page: 1, limit: MODELS_PAGE, query: "", status: "" }
const statuses = ["ACTIVE", "RETIRED"] as const

export const Route = createFileRoute("/home/models/")({
  validateSearch: (search: Partial<ModelsView> & SearchSchemaInput): ModelsView => {
    const { page, limit, query } = listSearch(MODELS_PAGE)(search)
    return { page, limit, query, status: statuses.find((word) => word === search.status) ?? "" }
  },
  search: { middlewares: [stripSearchParams(plain)] },
  component: ModelsRoute,
})

/** The address holds the view, so that back, reload and a shared link restore it. */
function ModelsRoute() {
  const go = Route.useNavigate()
  const onView = useCallback(
    (change: Partial<ModelsView>) =>
      void go({
        search: (old) => ({ ...old, ...change }),
        // A step of the typing is no place to go back to.
        replace: change.query !== undefined,
      }),
    [go],
  )
  return <ModelList view={Route.useSearch()} onView={onView} />
}
