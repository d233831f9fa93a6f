import { date } from "@/lib/dates"
import { quantity, rupees } from "@/lib/format"
import { ShareBar } from "@/ui/chart/bars"
import { Change } from "@/ui/money"
import { StaleNote } from "@/parts/stale-note"
import type { Column } from "@/ui/table/table"
import { type DayRow, returnOf, type StockShare } from "./figures"

function Return({ share }: { share: StockShare }) {
  const percentage = returnOf(share)
  return percentage === null ? (
    <span className="muted">N/A</span>
  ) : (
    <Change percentage={percentage} />
  )
}

/** `largest` is the largest share of all stocks, in percent, on whatever page it is. */
export const stockColumns = (largest: number): Column<StockShare>[] => [
  { title: "Stock", cell: (share) => share.symbol, card: "title" },
  {
    title: "AUM %",
    cell: (share) => <ShareBar share={share.aumPercentage} largest={largest} />,
    align: "right",
    card: "note",
  },
  {
    title: "Quantity",
    cell: (share) => quantity(share.totalQuantity),
    align: "right",
    card: "rest",
  },
  {
    title: "Invested Value",
    cell: (share) => rupees(share.totalInvestedValue),
    align: "right",
    card: "rest",
  },
  {
    title: "Current Value",
    cell: (share) => (
      <>
        {rupees(share.totalCurrentValue)}
        <StaleNote at={share.staleAt} source={share.staleSource} />
      </>
    ),
    align: "right",
    card: "main",
  },
  { title: "Returns", cell: (share) => <Return share={share} />, align: "right", card: "aside" },
]

export const dayColumns: Column<DayRow>[] = [
  { title: "Date", cell: (day) => date(day.date), card: "title" },
  { title: "AUM", cell: (day) => rupees(day.totalCurrentValue), align: "right", card: "main" },
  {
    title: "Day change",
    cell: (day) => <Change percentage={day.change} />,
    align: "right",
    card: "aside",
  },
]
