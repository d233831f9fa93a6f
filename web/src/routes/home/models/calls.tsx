import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { CallsScreen } from "@/features/calls/calls-screen"
import { CALLS_PAGE, type CallsView } from "@/features/calls/queries"

const plain: CallsView = {
  page: 1,
  limit: CALLS_PAGE,
  query: "",
  sort: "",
  from: "",
  to: "",
  state: "",
  verdict: "",
  model: "",
}

export const Route = createFileRoute("/home/models/calls")({
  ...listSearch(plain, {
    state: ["OPEN", "CLOSED"],
    verdict: ["HIT", "MISS", "UNKNOWN"],
  }),
  component: CallsRoute,
})

function CallsRoute() {
  return <CallsScreen view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
