import { createFileRoute } from "@tanstack/react-router"
import { listSearch, useOnView } from "@/app/list-search"
import { OrderBook } from "@/features/orders/order-book"
import { ORDER_STATUSES, type OrderBookView, ORDERS_PAGE } from "@/features/orders/queries"

const plain: OrderBookView = { page: 1, limit: ORDERS_PAGE, from: "", to: "", status: "" }

export const Route = createFileRoute("/home/client/_tabs/order-book")({
  ...listSearch(plain, { status: ORDER_STATUSES }),
  component: OrderBookTab,
})

function OrderBookTab() {
  return <OrderBook view={Route.useSearch()} onView={useOnView(Route.useNavigate())} />
}
