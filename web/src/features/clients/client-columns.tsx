import { rupees } from "@/lib/format"
import { Change } from "@/ui/money"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table"
import type { ClientRow } from "./queries"

const clientColumns: Column<ClientRow>[] = [
  {
    title: "Client ID",
    cell: (client) => <span className="muted">{client.clientId}</span>,
    sortKey: "clientId",
    card: "note",
    width: 96,
  },
  {
    title: "Client Name",
    cell: (client) => <strong>{client.name}</strong>,
    sortKey: "name",
    card: "title",
  },
  {
    title: "Current Portfolio Value",
    cell: (client) => rupees(client.totalPortfolio),
    sortKey: "totalPortfolio",
    align: "right",
    card: "main",
  },
  {
    title: "Total Amount",
    cell: (client) => rupees(client.totalInvestment),
    sortKey: "totalInvestment",
    align: "right",
    card: "rest",
  },
  {
    title: "P&L Amount",
    cell: (client) => <Change value={client.netPnL} percentage={client.netPnLPercentage} />,
    sortKey: "netPnL",
    align: "right",
    card: "aside",
  },
  {
    title: "Cash Available",
    cell: (client) => rupees(client.NetCashAmount),
    sortKey: "NetCashAmount",
    align: "right",
    card: "rest",
  },
  {
    title: "Status",
    cell: (client) => <StatusPill word={client.isConnected ? "Login" : "Logout"} />,
    sortKey: "status",
    card: "note",
    width: 104,
  },
]

/** A phone's card has room for the percentage alone; the sum opens with a tap. */
export const cardColumns: Column<ClientRow>[] = [
  ...clientColumns.map((column) =>
    column.title === "P&L Amount" ? { ...column, card: "rest" as const } : column,
  ),
  {
    title: "P&L%",
    cell: (client) => <Change percentage={client.netPnLPercentage} />,
    card: "aside",
  },
]

const left = {
  Basic: ["Total Amount", "P&L Amount"],
  Performance: ["Cash Available", "Status"],
  All: [],
}

export type ColumnSet = keyof typeof left
export const columnSets = Object.keys(left) as ColumnSet[]

/** What was remembered, if it is a set that there is. */
export const columnSetFrom = (text: unknown): ColumnSet =>
  columnSets.find((name) => name === text) ?? "All"

export const columnsOf = (set: ColumnSet) => {
  const without: string[] = left[set]
  return clientColumns.filter((column) => !without.includes(column.title))
}

/** Orders on offer where there are no heads to click. */
export const clientOrders = [
  { label: "Client ID", sort: "" },
  { label: "Name, A to Z", sort: "name" },
  { label: "Largest portfolio", sort: "-totalPortfolio" },
  { label: "Largest gain", sort: "-netPnL" },
  { label: "Largest loss", sort: "netPnL" },
  { label: "Most cash", sort: "-NetCashAmount" },
]
