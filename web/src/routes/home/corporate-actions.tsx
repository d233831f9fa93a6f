import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { prefetch } from "@/app/prefetch"
import { CorporateActions } from "@/features/corporate-actions/corporate-actions"
import { ACTIONS_PAGE, actionsQuery, type ActionsView } from "@/features/corporate-actions/queries"

const plain: ActionsView = {
  page: 1,
  limit: ACTIONS_PAGE,
  query: "",
  sort: "",
  from: "",
  to: "",
  state: "",
  of: "",
}

export const Route = createFileRoute("/home/corporate-actions")({
  ...listSearch(plain, { state: ["ANNOUNCED", "PENDING", "LATE", "DONE"], of: ["held"] }),
  loaderDeps: ({ search }) => search,
  loader: (entry) => prefetch(entry, actionsQuery(entry.deps)),
  component: CorporateActionsRoute,
})

function CorporateActionsRoute() {
  return <CorporateActions view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
