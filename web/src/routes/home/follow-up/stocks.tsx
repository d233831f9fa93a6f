import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { prefetch } from "@/app/prefetch"
import { BOARD_PAGE, stocksQuery, type StocksView } from "@/features/follow-up/queries"
import { FollowUpStocks } from "@/features/follow-up/stocks"

const plain: StocksView = {
  page: 1,
  limit: BOARD_PAGE,
  query: "",
  sort: "",
  from: "",
  to: "",
  model: "",
}

export const Route = createFileRoute("/home/follow-up/stocks")({
  ...listSearch(plain),
  loaderDeps: ({ search }) => search,
  loader: (entry) => prefetch(entry, stocksQuery(entry.deps)),
  component: StocksRoute,
})

function StocksRoute() {
  return <FollowUpStocks view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
