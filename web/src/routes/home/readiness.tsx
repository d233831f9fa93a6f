import { createFileRoute, type SearchSchemaInput, stripSearchParams } from "@tanstack/react-router"
import { useCallback } from "react"
import { askAhead } from "@/app/ask-ahead"
import { listSearch } from "@/app/list-search"
import { problemWords } from "@/features/readiness/problem-words"
import {
  lastRunQuery,
  type Problem,
  READINESS_PAGE,
  readinessQuery,
  type ReadinessView,
} from "@/features/readiness/queries"
import { Readiness } from "@/features/readiness/readiness"

const plain: ReadinessView = { page: 1, limit: READINESS_PAGE, query: "", show: "" }
const words = ["READY", ...(Object.keys(problemWords) as Problem[])] as const

export const Route = createFileRoute("/home/readiness")({
  validateSearch: (search: Partial<ReadinessView> & SearchSchemaInput): ReadinessView => {
    const { page, limit, query } = listSearch(READINESS_PAGE)(search)
    return { page, limit, query, show: words.find((word) => word === search.show) ?? "" }
  },
  search: { middlewares: [stripSearchParams(plain)] },
  loaderDeps: ({ search }) => search,
  loader: (entry) => askAhead(entry, readinessQuery(entry.deps), lastRunQuery),
  component: ReadinessRoute,
})

/** The address holds the view, so that back, reload and a shared link restore it. */
function ReadinessRoute() {
  const go = Route.useNavigate()
  const onView = useCallback(
    (change: Partial<ReadinessView>) =>
      void go({
        search: (old) => ({ ...old, ...change }),
        // A step of the typing is no place to go back to.
        replace: change.query !== undefined,
      }),
    [go],
  )
  return <Readiness view={Route.useSearch()} onView={onView} />
}
