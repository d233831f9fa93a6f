import { createFileRoute, type SearchSchemaInput, stripSearchParams } from "@tanstack/react-router"
import { useCallback } from "react"
import { requireAdmin } from "@/app/guard"
import { listSearch } from "@/app/list-search"
import { RUNS_PAGE, type RunsView } from "@/features/book/queries"
import { RunList } from "@/features/book/run-list"

const plain: RunsView = { page: 1, limit: RUNS_PAGE, model: "", start: false }

export const Route = createFileRoute("/home/models/book/")({
  beforeLoad: requireAdmin,
  validateSearch: (search: Partial<RunsView> & SearchSchemaInput): RunsView => {
    const { page, limit } = listSearch(RUNS_PAGE)(search)
    return {
      page,
      limit,
      model: typeof search.model === "string" ? search.model : "",
      start: search.start === true,
    }
  },
  search: { middlewares: [stripSearchParams(plain)] },
  component: BookRoute,
})

/** The address holds the view, so that back, reload and a shared link restore it. */
function BookRoute() {
  const go = Route.useNavigate()
  const onView = useCallback(
    (change: Partial<RunsView>) => void go({ search: (old) => ({ ...old, ...change }) }),
    [go],
  )
  return <RunList view={Route.useSearch()} onView={onView} />
}
