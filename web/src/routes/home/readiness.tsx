import { createFileRoute, type SearchSchemaInput, stripSearchParams } from "@tanstack/react-router"
import { useCallback } from "react"
import { listSearch } from "@/app/list-search"
import { problemWords } from "@/features/readiness/problem-words"
import { type Problem, READINESS_PAGE, type ReadinessView } from "@/features/readiness/queries"
import { Readiness } from "@/features/readiness/readiness"

const plain: ReadinessView = { page: 1, limit: READINESS_PAGE, query: "", show: "" }
const words = ["READY", ...(Object.keys(problemWords) as Problem[])] as const

export const Route = createFileRoute("/home/readiness")({
  validateSearch: (search: Partial<ReadinessView> & SearchSchemaInput): ReadinessView => {
    const { page, limit, query } = listSearch(READINESS_PAGE)(search)
    return { page, limit, query, show: words.find((word) => word === search.show) ?? "" }
  },
  search: { middlewares: [stripSearchParams(plain)] },
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
