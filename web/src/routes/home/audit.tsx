import { createFileRoute } from "@tanstack/react-router"
import { requireAdmin } from "@/app/guard"
import { listSearch, useOnView } from "@/app/list-search"
import { AuditTrail } from "@/features/audit/audit-screen"
import { AUDIT_PAGE, type AuditView, noFilter } from "@/features/audit/queries"

const plain: AuditView = { page: 1, limit: AUDIT_PAGE, ...noFilter }

export const Route = createFileRoute("/home/audit")({
  ...listSearch(plain),
  beforeLoad: requireAdmin,
  component: AuditRoute,
})

function AuditRoute() {
  return <AuditTrail view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
