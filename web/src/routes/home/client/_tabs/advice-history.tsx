import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { AdviceHistory } from "@/features/advice/advice-history"
import { PAGE } from "@/features/advice/advice-history-queries"

const plain = { page: 1, limit: PAGE, from: "", to: "" }

export const Route = createFileRoute("/home/client/_tabs/advice-history")({
  ...listSearch(plain),
  component: AdviceHistoryTab,
})

function AdviceHistoryTab() {
  const { page, from, to } = Route.useSearch()
  const onView = useOnView(Route.useNavigate())
  return (
    <AdviceHistory
      page={page}
      range={from === "" ? null : { from, to }}
      onView={(next) =>
        onView({ page: next.page, from: next.range?.from ?? "", to: next.range?.to ?? "" })
      }
    />
  )
}
