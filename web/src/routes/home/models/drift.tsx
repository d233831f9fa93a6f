import { createFileRoute, type SearchSchemaInput, stripSearchParams } from "@tanstack/react-router"
import { useCallback } from "react"
import { listSearch } from "@/app/list-search"
import { DriftMonitor } from "@/features/book/drift-monitor"
import { type DriftView, MODELS_PAGE } from "@/parts/models"

const plain: DriftView = { page: 1, limit: MODELS_PAGE, query: "", model: "" }

export const Route = createFileRoute("/home/models/drift")({
  validateSearch: (search: Partial<DriftView> & SearchSchemaInput): DriftView => {
    const { page, limit, query } = listSearch(MODELS_PAGE)(search)
    return { page, limit, query, model: typeof search.model === "string" ? search.model : "" }
  },
  search: { middlewares: [stripSearchParams(plain)] },
  component: DriftRoute,
})

/** The address holds the view, so that back, reload and a shared link restore it. */
function DriftRoute() {
  const go = Route.useNavigate()
  const onView = useCallback(
    (change: Partial<DriftView>) =>
      void go({
        search: (old) => ({ ...old, ...change }),
        // A step of the typing is no place to go back to.
        replace: change.query !== undefined,
      }),
    [go],
  )
  return <DriftMonitor view={Route.useSearch()} onView={onView} />
}
