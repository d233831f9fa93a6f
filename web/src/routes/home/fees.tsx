import { createFileRoute } from "@tanstack/react-router"
import { prefetch } from "@/app/prefetch"
import { listSearch, useOnView } from "@/app/list-search"
import { Fees } from "@/features/fees/fees-screen"
import { FEES_PAGE, feesQuery, feeStatsQuery, type FeesView } from "@/features/fees/queries"

const plain: FeesView = {
  page: 1,
  limit: FEES_PAGE,
  query: "",
  sort: "",
  from: "",
  to: "",
  due: "",
}

export const Route = createFileRoute("/home/fees")({
  ...listSearch(plain, { due: ["DUE", "OVERDUE"] }),
  loaderDeps: ({ search }) => search,
  loader: (entry) => prefetch(entry, feesQuery(entry.deps), feeStatsQuery),
  component: FeesRoute,
})

function FeesRoute() {
  return <Fees view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
