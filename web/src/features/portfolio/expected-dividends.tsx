import { useQuery } from "@tanstack/react-query"
import { date } from "@/lib/dates"
import { price, quantity, rupees } from "@/lib/format"
import { Card } from "@/ui/card"
import { useAmountsHidden } from "@/ui/money"
import { type Column, Table } from "@/ui/table/table"
import { dividendsQuery, type ExpectedDividend } from "./queries"

const columns: Column<ExpectedDividend>[] = [
  { title: "Stock", cell: (row) => <strong>{row.tradingSymbol}</strong>, card: "title" },
  { title: "Name", cell: (row) => row.name, card: "note" },
  { title: "Ex-date", cell: (row) => date(row.exOn) },
  { title: "Payment Date", cell: (row) => date(row.payOn) },
  { title: "Shares", cell: (row) => quantity(row.shares), align: "right" },
  { title: "Per Share", cell: (row) => price(row.perShare), align: "right" },
  { title: "Amount", cell: (row) => rupees(row.amount), align: "right", card: "main" },
]

function totalsOf(rows: ExpectedDividend[]): Record<string, string> {
  const known = rows.reduce((sum, row) => sum + Math.round((row.amount ?? 0) * 100), 0) / 100
  const isWhole = rows.every((row) => row.amount !== null)
  return { ...(isWhole ? {} : { "Per Share": "Known" }), Amount: rupees(known) }
}

/** Dividends that are past their ex-date and not paid yet; nothing for a client without one. */
export function ExpectedDividends({ clientId }: { clientId: string }) {
  const { data: rows = [] } = useQuery(dividendsQuery(clientId))
  useAmountsHidden()
  if (rows.length === 0) return null
  return (
    <Card
      flush
      title="Expected Dividends"
      note="Before tax. They count in the value and the returns once the broker shows them."
    >
      <Table
        label="Expected dividends"
        columns={columns}
        rows={rows}
        rowKey={(row) => `${row.isin} ${row.exOn}`}
        rowName={(row) => row.tradingSymbol}
        totals={rows.length > 1 ? totalsOf(rows) : undefined}
        empty={{ title: "No Data Available" }}
      />
    </Card>
  )
}
