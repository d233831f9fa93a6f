import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { datedSearch, plainDated } from "@/app/list-search"
import { AdviceHistory } from "@/features/advice/advice-history"
import { PAGE } from "@/features/advice/advice-history-queries"

const search = datedSearch(PAGE)

export const Route = createFileRoute("/home/client/_tabs/advice-history")({
  validateSearch: search,
  search: { middlewares: [stripSearchParams(plainDated(PAGE))] },
  component: AdviceHistoryTab,
})

/** The address holds the view, so that back, reload and a shared link restore it. */
function AdviceHistoryTab() {
  const { page, from, to } = Route.useSearch()
  const go = Route.useNavigate()
  return (
    <AdviceHistory
      page={page}
      range={from === "" ? null : { from, to }}
      onView={(next) =>
        void go({
          search: (old) => ({
            ...old,
            page: next.page,
            from: next.range?.from ?? "",
            to: next.range?.to ?? "",
          }),
        })
      }
    />
  )
}
