import { createFileRoute } from "@tanstack/react-router"
import { requireAdmin } from "@/app/guard"
import { listSearch, useOnView } from "@/app/list-search"
import { prefetch } from "@/app/prefetch"
import { ObligationsScreen, type ObligationsView } from "@/features/obligations/obligations-screen"
import { obligationsQuery } from "@/features/obligations/queries"

const plain: ObligationsView = { page: 1, limit: 25, status: "", obligation: "" }

export const Route = createFileRoute("/home/compliance/")({
  ...listSearch(plain, {
    status: ["LATE", "DUE", "DUE_SOON", "NOT_DUE", "DONE", "NOT_APPLICABLE"],
  }),
  beforeLoad: requireAdmin,
  loader: (entry) => prefetch(entry, obligationsQuery),
  component: ComplianceRoute,
})

function ComplianceRoute() {
  return <ObligationsScreen view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
