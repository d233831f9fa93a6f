import { useQuery } from "@tanstack/react-query"
import { date } from "@/lib/dates"
import { quantity } from "@/lib/format"
import { Card } from "@/ui/card"
import { StatusPill } from "@/ui/status-pill"
import { type Column, Table } from "@/ui/table/table"
import { type Breach, breachesFile, breachesQuery, choicesQuery } from "./queries"

const words = (row: Breach) => {
  const days = row.days === 0 ? "on the day of" : `${row.days} days`
  if (row.kind === "AGAINST") return "Against the advice"
  if (row.days === 0) return `${days} the advice`
  return row.kind === "BEFORE" ? `${days} before the advice` : `${days} after the advice`
}

const columns: Column<Breach>[] = [
  { title: "Stock", cell: (row) => <strong>{row.tradingSymbol}</strong>, card: "title" },
  {
    title: "Staff",
    cell: (row) => (row.relative ? `${row.staffName} (${row.relative})` : row.staffName),
    card: "note",
  },
  { title: "Side", cell: (row) => <StatusPill word={row.side} />, card: "rest" },
  { title: "Shares", cell: (row) => quantity(row.quantity), align: "right", card: "rest" },
  { title: "Traded on", cell: (row) => date(row.tradedOn), card: "rest" },
  { title: "Advised on", cell: (row) => date(row.advisedOn), card: "aside" },
  { title: "Breach", cell: (row) => <span className="loss">{words(row)}</span>, card: "main" },
]

/** Declared trades that were made in the restricted days of an advice, or against it. */
export function Breaches() {
  const breaches = useQuery(breachesQuery)
  const choices = useQuery(choicesQuery).data
  return (
    <Card
      flush
      title="Breaches"
      note={
        choices &&
        `Trades from ${choices.tradingDaysBefore} days before to ${choices.tradingDaysAfter} days after an advice, or against it`
      }
    >
      <Table
        label="Breaches"
        name="own-trading-breaches"
        columns={columns}
        rows={breaches.data}
        state={breaches}
        skeletonRows={4}
        download={breachesFile}
        rowKey={(row) => `${row.staffName} ${row.tradingSymbol} ${row.tradedOn} ${row.kind}`}
        rowName={(row) => `${row.tradingSymbol}, ${date(row.tradedOn)}`}
        empty={{
          title: "No Data Available",
          hint: "No declared trade is in the restricted days of an advice.",
        }}
      />
    </Card>
  )
}
