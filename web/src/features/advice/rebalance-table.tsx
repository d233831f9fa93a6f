import { MessageSquareText } from "lucide-react"
import type { ReactNode } from "react"
import { missing, percent, quantity, rupees } from "@/lib/format"
import { PriceCell } from "@/parts/price-cell"
import { BeforeAfterBar } from "@/ui/chart/before-after"
import { StatusPill } from "@/ui/status-pill"
import { type Column, Table } from "@/ui/table/table"
import styles from "./advice.module.css"
import { sentencesOf } from "./causes"
import { type RebalanceRow, useDraft } from "./draft"
import { isTraded, tradedValue } from "./sending"

const stock = (row: RebalanceRow) => <Stock row={row} />

/** The symbol, with a mark where charges are a large part of the order, and one where the analyst wrote a sentence. */
function Stock({ row }: { row: RebalanceRow }) {
  const hasNote = (useDraft().notes[row.isin] ?? "").trim() !== ""
  return (
    <span className={styles.stock}>
      <strong>{row.symbol}</strong>
      {row.isDust && (
        <span title={`The charges of ${rupees(row.charges)} are more than 0.5 % of this order.`}>
          <StatusPill word="High charges" tone="warn" />
        </span>
      )}
      {hasNote && isTraded(row) && (
        <MessageSquareText size={14} role="img" aria-label="With your sentence" />
      )}
    </span>
  )
}

/** The columns of the result as bars: what is done, from which share to which, and why. */
export const barColumns = (most: number): Column<RebalanceRow>[] => [
  { title: "Transaction Type", cell: (row) => <StatusPill word={row.type} />, card: "note" },
  { title: "Stock", cell: stock, card: "title" },
  {
    title: "Before and after",
    cell: (row) => (
      <span className={styles.shares}>
        <BeforeAfterBar row={row} most={most} />
      </span>
    ),
    card: "note",
  },
  {
    title: "Share",
    cell: (row) =>
      `${percent(row.previousAllocationPercentage)} → ${percent(row.possibleAllocationPercentage)}`,
    align: "right",
    card: "aside",
  },
  { title: "Quantity", cell: (row) => quantity(row.quantity), align: "right", card: "none" },
  { title: "Order Value", cell: (row) => rupees(tradedValue(row)), align: "right", card: "main" },
  {
    title: "Reason",
    cell: (row) => <span className={styles.why}>{sentencesOf(row)[0] ?? missing}</span>,
    card: "none",
  },
]

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
  /** Gives the table its options. */
  name?: string
  columns: Column<RebalanceRow>[]
  rows: RebalanceRow[]
  groupOf?: (row: RebalanceRow) => string
  details: (row: RebalanceRow) => ReactNode
  isDense?: boolean
}

/** Trades in their order, HOLD muted; each opens to its details. */
export function Trades(props: TradesProps) {
  return (
    <div className={styles.trades}>
      <Table
        {...props}
        rowKey={(row) => `${row.exchange}:${row.symbol}`}
        rowName={(row) => row.symbol}
        isMuted={(row) => !isTraded(row)}
        empty={{ title: "No Data Available", hint: "All stocks are at their targets." }}
      />
    </div>
  )
}
