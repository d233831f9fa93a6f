import { date, dateTime } from "@/lib/dates"
import { quantity, rupees } from "@/lib/format"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import styles from "./orders.module.css"
import type { Order } from "./queries"

/** How much was filled, where an order went through in part. */
function Quantity({ order }: { order: Order }) {
  const isPart = order.filledQuantity > 0 && order.filledQuantity < order.quantity
  return (
    <>
      {isPart && <span className="muted">{quantity(order.filledQuantity)} of </span>}
      {quantity(order.quantity)}
    </>
  )
}

const lapsedWords = "Closed here: its day is over, and the broker never said how it ended."

/** The status; the broker's own word to those who ask, and a mark where it is none of the broker's. */
function Status({ order }: { order: Order }) {
  const { orderStatus, rawStatus, isLapsed } = order
  return (
    <span className={styles.status}>
      <span title={rawStatus === orderStatus ? undefined : rawStatus}>
        <StatusPill word={orderStatus} />
      </span>
      {isLapsed && (
        <span className={styles.lapsed} title={lapsedWords}>
          <span aria-hidden="true">by us</span>
          <span className="sr-only">{lapsedWords}</span>
        </span>
      )}
    </span>
  )
}

/** The columns of the specification. */
export const orderColumns: Column<Order>[] = [
  {
    title: "Date",
    cell: (order) => (
      <span title={dateTime(order.orderTimestamp)}>{date(order.orderTimestamp)}</span>
    ),
    card: "note",
    width: 120,
  },
  { title: "Stock", cell: (order) => <strong>{order.tradingSymbol}</strong>, card: "title" },
  {
    title: "Quantity",
    cell: (order) => <Quantity order={order} />,
    align: "right",
    card: "aside",
  },
  {
    title: "Price",
    // Until shares change hands there is no price, and nought is none.
    cell: (order) => rupees(order.averagePrice === 0 ? null : order.averagePrice),
    align: "right",
    card: "main",
  },
  { title: "Action", cell: (order) => <StatusPill word={order.transactionType} />, card: "note" },
  { title: "Order Type", cell: (order) => order.product, card: "rest" },
  { title: "Exchange", cell: (order) => order.exchange, card: "rest" },
  {
    title: "Status",
    cell: (order) => <Status order={order} />,
    card: "note",
    width: 184,
  },
]
