import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { ClientFees } from "@/features/fees/client-fees"
import { CLIENT_PAGE, type ClientFeesView, FEE_STATUSES } from "@/features/fees/queries"

const plain: ClientFeesView = { page: 1, limit: CLIENT_PAGE, from: "", to: "", status: "" }

export const Route = createFileRoute("/home/client/_tabs/fees")({
  ...listSearch(plain, { status: FEE_STATUSES }),
  component: ClientFeesTab,
})

function ClientFeesTab() {
  return <ClientFees view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
