import { createFileRoute } from "@tanstack/react-router"
import { requireAdmin } from "@/app/guard"
import { listSearch, useOnView } from "@/app/list-search"
import { CLIENTS_PAGE, type RunView } from "@/features/book/queries"
import { clientFilters } from "@/features/book/words"
import { RunPage } from "@/features/book/run-page"

const plain: RunView = { page: 1, limit: CLIENTS_PAGE, query: "", sort: "", show: "", client: "" }

export const Route = createFileRoute("/home/models/book/$runId")({
  beforeLoad: requireAdmin,
  ...listSearch(plain, { show: clientFilters }),
  component: RunRoute,
})

function RunRoute() {
  const { runId } = Route.useParams()
  const onView = useOnView(Route.useNavigate())
  return <RunPage key={runId} runId={runId} view={Route.useSearch()} onView={onView} />
}
