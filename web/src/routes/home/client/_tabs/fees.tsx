import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { useCallback } from "react"
import { datedSearch, plainDated } from "@/app/list-search"
import { ClientFees } from "@/features/fees/client-fees"
import {
  CLIENT_PAGE,
  type ClientFeesView,
  FEE_STATUSES,
  type FeeStatus,
} from "@/features/fees/queries"

const search = datedSearch(CLIENT_PAGE, FEE_STATUSES)

export const Route = createFileRoute("/home/client/_tabs/fees")({
  validateSearch: search,
  search: { middlewares: [stripSearchParams(plainDated<FeeStatus>(CLIENT_PAGE))] },
  component: ClientFeesTab,
})

/** The address holds the view, so that back, reload and a shared link restore it. */
function ClientFeesTab() {
  const go = Route.useNavigate()
  const onView = useCallback(
    (change: Partial<ClientFeesView>) => void go({ search: (old) => ({ ...old, ...change }) }),
    [go],
  )
  return <ClientFees view={Route.useSearch()} onView={onView} />
}
