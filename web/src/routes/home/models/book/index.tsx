import { createFileRoute } from "@tanstack/react-router"
import { requireAdmin } from "@/app/guard"
import { listSearch, useOnView } from "@/app/list-search"
import { RunList } from "@/features/book/run-list"
import { RUNS_PAGE, type RunsView } from "@/features/book/queries"

const plain: RunsView = { page: 1, limit: RUNS_PAGE, model: "", start: false }

export const Route = createFileRoute("/home/models/book/")({
  beforeLoad: requireAdmin,
  ...listSearch(plain),
  component: BookRoute,
})

function BookRoute() {
  return <RunList view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
