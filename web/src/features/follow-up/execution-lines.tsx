import { price, quantity, rupees } from "@/lib/format"
import type { ExecutedLine, Execution } from "@/parts/follow-up"
import { LineFills } from "@/parts/line-fills"
import { LineStatusPill } from "@/parts/line-status"
import { gapWords, lineGap } from "@/parts/shortfall-gap"
import { StatusPill } from "@/ui/status-pill"
import { type Column, Table } from "@/ui/table/table"
import styles from "./follow-up.module.css"

/** The shortfall; of a sale without a price nothing is left to show. */
function Shortfall({ line: { shortfall, shortfallGap } }: { line: ExecutedLine }) {
  return (
    <span className={styles.two}>
      <span>{rupees(shortfall?.bps == null ? null : shortfall.amount)}</span>
      {shortfallGap && <small>{gapWords[shortfallGap]}</small>}
    </span>
  )
}

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
  { title: "Shortfall", cell: (line) => <Shortfall line={line} />, align: "right" },
]

/** What became of each line; a line opens to its trades. */
export function ExecutionLines({ execution: { lines, isOver } }: { execution: Execution }) {
  return (
    <Table
      label="Lines"
      name="execution-lines"
      columns={columns}
      rows={lines}
      rowKey={(line) => String(line.place)}
      rowName={(line) => line.tradingSymbol}
      details={(line) => (
        <LineFills
          symbol={line.tradingSymbol}
          fills={line.fills}
          beyond={line.beyondAdvice}
          gap={lineGap(line, isOver)}
        />
      )}
      empty={{ title: "No Data Available", hint: "This advice has no lines." }}
      isDense
    />
  )
}
