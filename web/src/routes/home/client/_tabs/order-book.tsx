import { createFileRoute, stripSearchParams } from "@tanstack/react-router"
import { useCallback } from "react"
import { datedSearch, plainDated } from "@/app/list-search"
import { OrderBook } from "@/features/orders/order-book"
import {
  ORDER_STATUSES,
  type OrderBookView,
  type OrderStatus,
  PAGE,
} from "@/features/orders/queries"

const search = datedSearch(PAGE, ORDER_STATUSES)

export const Route = createFileRoute("/home/client/_tabs/order-book")({
  validateSearch: search,
  search: { middlewares: [stripSearchParams(plainDated<OrderStatus>(PAGE))] },
  component: OrderBookTab,
})

/** The address holds the view, so that back, reload and a shared link restore it. */
function OrderBookTab() {
  const go = Route.useNavigate()
  const onView = useCallback(
    (change: Partial<OrderBookView>) => void go({ search: (old) => ({ ...old, ...change }) }),
    [go],
  )
  return <OrderBook view={Route.useSearch()} onView={onView} />
}
