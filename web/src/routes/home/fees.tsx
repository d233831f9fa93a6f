import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { useCallback } from "react"
import { askAhead } from "@/app/ask-ahead"
import { datedSearch, listSearch, plainList } from "@/app/list-search"
import { Fees } from "@/features/fees/fees-screen"
import { FEES_PAGE, feesQuery, feeStatsQuery, type FeesView } from "@/features/fees/queries"

const list = listSearch(FEES_PAGE)
const dates = datedSearch(FEES_PAGE)

export const Route = createFileRoute("/home/fees")({
  validateSearch: (search: Parameters<typeof list>[0] & Parameters<typeof dates>[0]): FeesView => {
    const { from, to } = dates(search)
    return { ...list(search), from, to }
  },
  search: { middlewares: [stripSearchParams({ ...plainList(FEES_PAGE), from: "", to: "" })] },
  loaderDeps: ({ search }) => search,
  loader: (entry) => askAhead(entry, feesQuery(entry.deps), feeStatsQuery),
  component: FeesRoute,
})

/** The address holds the view, so that back, reload and a shared link restore it. */
function FeesRoute() {
  const go = Route.useNavigate()
  const onView = useCallback(
    (change: Partial<FeesView>) =>
      void go({
        search: (old) => ({ ...old, ...change }),
        // A step of the typing is no place to go back to.
        replace: change.query !== undefined,
      }),
    [go],
  )
  return <Fees view={Route.useSearch()} onView={onView} />
}
