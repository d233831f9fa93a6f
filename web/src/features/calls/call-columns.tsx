import { date, dateTime } from "@/lib/dates"
import { count, missing, percentagePoints, price } from "@/lib/format"
import { StockName } from "@/parts/stock-name"
import { Change } from "@/ui/money"
import { StatusPill } from "@/ui/status-pill"
import { type Column } from "@/ui/table/table"
import type { CallRow } from "./queries"

const verdicts = {
  HIT: { word: "Hit", tone: "gain" },
  MISS: { word: "Miss", tone: "loss" },
  UNKNOWN: { word: "Not known", tone: "neutral" },
} as const

const priceWords = {
  PRICE: "price",
  OPEN: "next open",
  CLOSE: "first close",
  LAST_CLOSE: "last close",
} as const

function PriceCell({ of: known }: { of: CallRow["entry"] }) {
  if (known === null) return <>{missing}</>
  return (
    <span title={known.at === null ? undefined : dateTime(known.at)}>
      {price(known.price)} <small>{`${priceWords[known.kind]} ${date(known.on)}`}</small>
    </span>
  )
}

/** Every call: what was advised, its prices, what it gave and how that compares. */
export const callColumns: Column<CallRow>[] = [
  {
    title: "Stock",
    cell: (row) => <StockName symbol={row.tradingSymbol} exchange={row.exchange} />,
    sortKey: "tradingSymbol",
    card: "title",
  },
  { title: "Sent", cell: (row) => dateTime(row.sentAt), sortKey: "sentAt", card: "note" },
  { title: "Model", cell: (row) => row.model || "One client" },
  { title: "Clients", cell: (row) => count(row.clients), align: "right" },
  { title: "Entry", cell: (row) => <PriceCell of={row.entry} />, align: "right" },
  { title: "Exit", cell: (row) => <PriceCell of={row.exit} />, align: "right" },
  { title: "Days", cell: (row) => count(row.days), align: "right", sortKey: "days" },
  {
    title: "After charges",
    cell: (row) =>
      row.whyUnknown === null ? (
        <Change percentage={row.netPercentage} />
      ) : (
        <span title={row.whyUnknown}>{missing}</span>
      ),
    align: "right",
    sortKey: "netPercentage",
    card: "main",
  },
  {
    title: "Benchmark",
    cell: (row) => <Change percentage={row.benchmarkPercentage} />,
    align: "right",
  },
  {
    title: "Difference",
    cell: (row) => percentagePoints(row.differencePercentagePoints),
    align: "right",
    sortKey: "differencePercentagePoints",
  },
  {
    title: "State",
    cell: (row) => (
      <StatusPill
        word={row.state === "OPEN" ? "Open" : "Closed"}
        tone={row.state === "OPEN" ? "warn" : "neutral"}
      />
    ),
  },
  { title: "Result", cell: (row) => <StatusPill {...verdicts[row.verdict]} />, card: "aside" },
]
