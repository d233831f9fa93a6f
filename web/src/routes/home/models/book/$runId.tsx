import { createFileRoute } from "@tanstack/react-router"
import { requireAdmin } from "@/app/guard"
import { listSearch, useOnView } from "@/app/list-search"
import { CLIENTS_PAGE, type RunView } from "@/features/models/book-queries"
import { shows } from "@/features/models/book-words"
import { RunPage } from "@/features/models/run-page"

const plain: RunView = { page: 1, limit: CLIENTS_PAGE, query: "", sort: "", show: "", client: "" }

export const Route = createFileRoute("/home/models/book/$runId")({
  beforeLoad: requireAdmin,
  ...listSearch(plain, { show: shows }),
  component: RunRoute,
})

function RunRoute() {
  const { runId } = Route.useParams()
  const onView = useOnView(Route.useNavigate())
  return <RunPage key={runId} runId={runId} view={Route.useSearch()} onView={onView} />
}
