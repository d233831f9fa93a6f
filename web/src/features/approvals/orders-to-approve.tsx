import { price, quantity } from "@/lib/format"
import { Money } from "@/ui/money"
import { StatusPill } from "@/ui/status-pill"
import { type Column, Table } from "@/ui/table/table"
import type { ApprovalShown } from "./queries"

type Order = ApprovalShown["orders"][number]

const columns: Column<Order>[] = [
  { title: "Stock", cell: (row) => <strong>{row.symbol}</strong>, card: "title" },
  { title: "Exchange", cell: (row) => row.exchange, card: "note" },
  { title: "Order", cell: (row) => <StatusPill word={row.type} />, card: "aside" },
  { title: "Shares", cell: (row) => quantity(row.quantity), align: "right" },
  { title: "Price", cell: (row) => price(row.lastPrice), align: "right" },
  { title: "Value", cell: (row) => <Money value={row.value} />, align: "right", card: "main" },
]

/** The orders of an advice, at the prices with which they were asked for. */
export function OrdersToApprove({ orders }: { orders: Order[] }) {
  return (
    <Table
      label="Orders"
      empty={{ title: "No order" }}
      columns={columns}
      rows={orders}
      rowKey={(row) => `${row.symbol} ${row.exchange}`}
      rowName={(row) => row.symbol}
    />
  )
}
