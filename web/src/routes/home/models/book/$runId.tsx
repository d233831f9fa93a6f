import { createFileRoute, type SearchSchemaInput, stripSearchParams } from "@tanstack/react-router"
import { useCallback } from "react"
import { requireAdmin } from "@/app/guard"
import { listSearch } from "@/app/list-search"
import { CLIENTS_PAGE, type RunView } from "@/features/book/queries"
import { RunPage } from "@/features/book/run-page"
import { clientFilters } from "@/features/book/words"

const plain: RunView = { page: 1, limit: CLIENTS_PAGE, query: "", sort: "", show: "", client: "" }

export const Route = createFileRoute("/home/models/book/$runId")({
  beforeLoad: requireAdmin,
  validateSearch: (search: Partial<RunView> & SearchSchemaInput): RunView => ({
    ...listSearch(CLIENTS_PAGE)(search),
    show: clientFilters.find((filter) => filter === search.show) ?? "",
    client: typeof search.client === "string" ? search.client : "",
  }),
  search: { middlewares: [stripSearchParams(plain)] },
  component: RunRoute,
})

/** The address holds the view, so that back, reload and a shared link restore it. */
function RunRoute() {
  const go = Route.useNavigate()
  const onView = useCallback(
    (change: Partial<RunView>) =>
      void go({
        search: (old) => ({ ...old, ...change }),
        // A step of the typing, and looking into one client after the other, are no places to go back to.
        replace: change.query !== undefined || change.client !== undefined,
      }),
    [go],
  )
  const { runId } = Route.useParams()
  return <RunPage key={runId} runId={runId} view={Route.useSearch()} onView={onView} />
}
