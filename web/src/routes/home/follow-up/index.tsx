import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { prefetch } from "@/app/prefetch"
import { FollowUpBoard } from "@/features/follow-up/board"
import { BOARD_PAGE, boardQuery, type BoardView } from "@/features/follow-up/queries"
import { statesInOrder } from "@/parts/follow-up"

const plain: BoardView = {
  page: 1,
  limit: BOARD_PAGE,
  query: "",
  sort: "",
  from: "",
  to: "",
  state: "",
  model: "",
  advice: "",
}

export const Route = createFileRoute("/home/follow-up/")({
  ...listSearch(plain, { state: statesInOrder }),
  loaderDeps: ({ search: { advice: _, ...view } }) => view,
  loader: (entry) => prefetch(entry, boardQuery(entry.deps)),
  component: FollowUpRoute,
})

function FollowUpRoute() {
  return <FollowUpBoard view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
