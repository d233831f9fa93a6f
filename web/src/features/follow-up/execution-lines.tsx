import { price, quantity, rupees } from "@/lib/format"
import type { ExecutedLine } from "@/parts/follow-up"
import { LineFills } from "@/parts/line-fills"
import { LineStatusPill } from "@/parts/line-status"
import { StatusPill } from "@/ui/status-pill"
import { type Column, Table } from "@/ui/table/table"

const columns: Column<ExecutedLine>[] = [
  { title: "Stock", cell: (line) => <strong>{line.tradingSymbol}</strong>, card: "title" },
  { title: "Side", cell: (line) => <StatusPill word={line.side} />, card: "note" },
  {
    title: "Status",
    cell: (line) => <LineStatusPill status={line.status} text={line.statusText} />,
    card: "main",
  },
  { title: "Advised", cell: (line) => quantity(line.advisedQuantity), align: "right" },
  { title: "Traded", cell: (line) => quantity(line.filledQuantity), align: "right", card: "aside" },
  { title: "Advised Price", cell: (line) => price(line.advisedPrice), align: "right" },
  { title: "Average Price", cell: (line) => price(line.averagePrice), align: "right" },
  { title: "Shortfall", cell: (line) => rupees(line.shortfall?.amount), align: "right" },
]

/** What became of each line; a line opens to its trades. */
export function ExecutionLines({ lines }: { lines: ExecutedLine[] }) {
  return (
    <Table
      label="Lines"
      name="execution-lines"
      columns={columns}
      rows={lines}
      rowKey={(line) => String(line.place)}
      rowName={(line) => line.tradingSymbol}
      details={(line) => (
        <LineFills symbol={line.tradingSymbol} fills={line.fills} beyond={line.beyondAdvice} />
      )}
      empty={{ title: "No Data Available", hint: "This advice has no lines." }}
      isDense
    />
  )
}
