import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { prefetch } from "@/app/prefetch"
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
const shows = ["READY", ...(Object.keys(problemWords) as Problem[])] as const

export const Route = createFileRoute("/home/readiness")({
  ...listSearch(plain, { show: shows }),
  loaderDeps: ({ search }) => search,
  loader: (entry) => prefetch(entry, readinessQuery(entry.deps), lastRunQuery),
  component: ReadinessRoute,
})

function ReadinessRoute() {
  return <Readiness view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
