import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { prefetch } from "@/app/prefetch"
import { ApprovalsScreen } from "@/features/approvals/approvals-screen"
import { approvalsQuery, type ApprovalsView } from "@/features/approvals/queries"

const plain: ApprovalsView = { page: 1, limit: 20, state: "", open: "" }

export const Route = createFileRoute("/home/approvals")({
  ...listSearch(plain, { state: ["", "WAITING"] }),
  loaderDeps: ({ search }) => search,
  loader: (entry) => prefetch(entry, approvalsQuery(entry.deps)),
  component: ApprovalsRoute,
})

function ApprovalsRoute() {
  return <ApprovalsScreen view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
