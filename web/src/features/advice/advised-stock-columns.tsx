import { missing, percent, price, quantity, rupees } from "@/lib/format"
import type { FollowUpRow } from "@/parts/follow-up"
import { LineStatusPill } from "@/parts/line-status"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import styles from "./advice-history.module.css"
import type { AdvisedStock } from "./advice-history-queries"

/** The columns of the specification for the stocks of one advice, with the price and the value of the order. */
const columns: Column<AdvisedStock>[] = [
  { title: "Stock", cell: (stock) => <strong>{stock.symbol}</strong>, card: "title" },
  { title: "Transaction Type", cell: (stock) => <StatusPill word={stock.type} />, card: "note" },
  { title: "Quantity", cell: (stock) => quantity(stock.quantity), align: "right", card: "aside" },
  { title: "Price", cell: (stock) => price(stock.ltp), align: "right" },
  {
    title: "Order Value",
    cell: (stock) =>
      rupees(stock.type === "SELL" ? stock.valueToBeFreed : stock.additionalInvestmentValue),
    align: "right",
    card: "main",
  },
  {
    title: "% Allocation",
    cell: (stock) => percent(stock.possibleAllocationPercentage),
    align: "right",
  },
  {
    title: "Investment Amount",
    cell: (stock) => rupees(stock.currentInvestmentValue),
    align: "right",
  },
  { title: "Order Type", cell: (stock) => stock.product },
  // The specification spells it like this.
  { title: "Exchnage", cell: (stock) => stock.exchange },
  {
    title: "Reason",
    cell: (stock) => (
      <span className={styles.why}>
        {stock.message}
        {stock.note !== "" && <em>{stock.note}</em>}
      </span>
    ),
  },
]

/** The same, with what became of each line after it where that is known. */
export function advisedStockColumns(followUp: FollowUpRow | undefined): Column<AdvisedStock>[] {
  if (!followUp) return columns
  const lineOf = ({ isin, type }: AdvisedStock) =>
    followUp.lines?.find((line) => line.isin === isin && line.side === type)
  const traded: Column<AdvisedStock>[] = [
    {
      title: "Status",
      cell: (stock) => {
        const line = lineOf(stock)
        return line ? <LineStatusPill status={line.status} text={line.statusText} /> : missing
      },
    },
    {
      title: "Traded",
      cell: (stock) => quantity(lineOf(stock)?.filledQuantity),
      align: "right",
    },
  ]
  return columns.toSpliced(3, 0, ...traded)
}
