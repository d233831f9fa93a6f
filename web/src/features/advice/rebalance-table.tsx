import { missing, percent, quantity, rupees } from "@/lib/format"
import { PriceCell } from "@/parts/price-cell"
import { StatusPill } from "@/ui/status-pill"
import { type Column, Table } from "@/ui/table/table"
import styles from "./advice.module.css"
import type { RebalanceRow } from "./draft"
import { isTraded, tradedValue } from "./sending"

const stock = (row: RebalanceRow) => <strong>{row.symbol}</strong>

/** The columns of the rebalance, with the specification's labels. */
export const rebalanceColumns: Column<RebalanceRow>[] = [
  { title: "Transaction Type", cell: (row) => <StatusPill word={row.type} />, card: "note" },
  { title: "Stock", cell: stock, card: "title" },
  { title: "Current Quantity", cell: (row) => quantity(row.currentQuantity), align: "right" },
  {
    title: "Changed Quantity",
    cell: (row) => quantity(row.quantity),
    align: "right",
    card: "main",
  },
  { title: "New Quantity", cell: (row) => quantity(row.newQuantity), align: "right" },
  {
    title: "Current % Allocation",
    cell: (row) => percent(row.previousAllocationPercentage),
    align: "right",
  },
  { title: "New % Allocation", cell: (row) => percent(row.allocationPercentage), align: "right" },
  {
    title: "Possible % Allocation",
    cell: (row) => percent(row.possibleAllocationPercentage),
    align: "right",
  },
  { title: "LTP", cell: (row) => <PriceCell row={row} />, align: "right" },
  {
    title: "Current Investment Amount",
    cell: (row) => rupees(row.currentInvestmentValue),
    align: "right",
  },
  {
    title: "Additional Investment Amount",
    cell: (row) =>
      row.type === "SELL" ? rupees(row.valueToBeFreed) : rupees(row.additionalInvestmentValue),
    align: "right",
    card: "aside",
  },
  {
    title: "Project Investment Value",
    cell: (row) => rupees(row.projectedInvestmentValue),
    align: "right",
  },
  { title: "Exchange", cell: (row) => row.exchange || missing },
  { title: "Order Type", cell: (row) => row.product || missing },
]

/** The columns of the preview. */
export const previewColumns: Column<RebalanceRow>[] = [
  { title: "Transaction Type", cell: (row) => <StatusPill word={row.type} />, card: "note" },
  { title: "Stock", cell: stock, card: "title" },
  { title: "Quantity", cell: (row) => quantity(row.quantity), align: "right", card: "main" },
  { title: "LTP", cell: (row) => <PriceCell row={row} />, align: "right" },
  { title: "Order Value", cell: (row) => rupees(tradedValue(row)), align: "right", card: "aside" },
  {
    title: "% Allocation",
    cell: (row) => percent(row.possibleAllocationPercentage),
    align: "right",
  },
  {
    title: "Project Investment Value",
    cell: (row) => rupees(row.projectedInvestmentValue),
    align: "right",
  },
  { title: "Exchange", cell: (row) => row.exchange || missing },
  { title: "Order Type", cell: (row) => row.product || missing },
]

interface TradesProps {
  label: string
  columns: Column<RebalanceRow>[]
  rows: RebalanceRow[]
  isDense?: boolean
}

/** Trades, SELL before BUY, HOLD muted. */
export function Trades(props: TradesProps) {
  return (
    <div className={styles.trades}>
      <Table
        {...props}
        name="rebalance"
        rowKey={(row) => `${row.exchange}:${row.symbol}`}
        rowName={(row) => row.symbol}
        isMuted={(row) => !isTraded(row)}
        empty={{ title: "No Data Available", hint: "All stocks are at their targets." }}
      />
    </div>
  )
}
