import { rupees } from "@/lib/format"
import { Change } from "@/ui/money"
import { ActionPending } from "@/parts/action-pending"
import { StaleNote } from "@/parts/stale-note"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import type { ClientRow } from "./queries"

const stateOf = ({ status, isConnected }: ClientRow) =>
  status === "SAMPLE" ? status : isConnected ? "Login" : "Logout"

export const clientColumns: Column<ClientRow>[] = [
  {
    title: "Client ID",
    cell: (client) => <span className="muted">{client.clientId}</span>,
    sortKey: "clientId",
    card: "note",
    width: 72,
  },
  {
    title: "Client Name",
    cell: (client) => (
      <>
        <strong data-peek={client._id}>{client.name}</strong>
        {client.actionPending && (
          <>
            {" "}
            <ActionPending />
          </>
        )}
      </>
    ),
    sortKey: "name",
    card: "title",
  },
  {
    title: "Current Portfolio Value",
    cell: (client) => (
      <span className={client.staleSince ? "price-stale" : undefined}>
        {rupees(client.totalPortfolio)}
        <StaleNote at={client.staleSince} />
      </span>
    ),
    sortKey: "totalPortfolio",
    align: "right",
    card: "main",
  },
  {
    title: "Total Amount",
    cell: (client) => rupees(client.totalInvestment),
    sortKey: "totalInvestment",
    align: "right",
  },
  {
    title: "P&L Amount",
    cell: (client) => (
      <Change
        value={client.netPnL}
        percentage={client.netPnLPercentage}
        isSincePurchase={client.isSincePurchase}
      />
    ),
    sortKey: "netPnL",
    align: "right",
    card: "aside",
  },
  {
    title: "Cash Available",
    cell: (client) => rupees(client.NetCashAmount),
    sortKey: "NetCashAmount",
    align: "right",
  },
  {
    title: "Status",
    cell: (client) => <StatusPill word={stateOf(client)} />,
    sortKey: "status",
    card: "note",
    width: 88,
  },
]

/** A phone's card has room for the percentage alone; the sum opens with a tap. */
export const cardColumns: Column<ClientRow>[] = [
  ...clientColumns.map((column) =>
    column.title === "P&L Amount" ? { ...column, card: "rest" as const } : column,
  ),
  {
    title: "P&L%",
    cell: (client) => (
      <Change percentage={client.netPnLPercentage} isSincePurchase={client.isSincePurchase} />
    ),
    card: "aside",
  },
]

/** What each set leaves out; "All" leaves out nothing. */
export const columnSets = {
  Basic: ["Total Amount", "P&L Amount", "Model", "Largest Drift", "Last Advice"],
  Performance: ["Cash Available", "Status", "Last Advice"],
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
