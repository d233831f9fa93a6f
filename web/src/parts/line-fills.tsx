import { useQuery } from "@tanstack/react-query"
import { dateTime } from "@/lib/dates"
import { missing, price, quantity } from "@/lib/format"
import { ErrorNote, Loading } from "@/ui/states"
import { type Column, Table } from "@/ui/table/table"
import { executionQuery, type Fill, sourceWords } from "./follow-up"
import styles from "./line-fills.module.css"

const columns: Column<Fill>[] = [
  { title: "Time", cell: (fill) => dateTime(fill.at), card: "title" },
  { title: "Quantity", cell: (fill) => quantity(fill.quantity), align: "right", card: "main" },
  { title: "Price", cell: (fill) => price(fill.price), align: "right", card: "aside" },
  { title: "Source", cell: (fill) => sourceWords[fill.source], card: "note" },
  { title: "Trade ID", cell: (fill) => fill.tradeId || missing },
]

interface LineFillsProps {
  symbol: string
  fills: Fill[]
  beyond: number
  /** What is missing of the line's shortfall. */
  gap?: string | null
}

/** The trades that count for one line. */
export function LineFills({ symbol, fills, beyond, gap = null }: LineFillsProps) {
  return (
    <div className={styles.fills}>
      {fills.length === 0 && beyond === 0 && (
        <p className={styles.none}>No trade counts for this line.</p>
      )}
      {fills.length > 0 && (
        <Table
          label={`Trades of ${symbol}`}
          columns={columns}
          rows={fills}
          rowKey={(fill) => `${fill.tradeId} ${fill.at} ${fill.quantity}`}
          rowName={(fill) => `the trade of ${dateTime(fill.at)}`}
          empty={{ title: "No Data Available" }}
          isDense
        />
      )}
      {fills.some(({ source }) => source === "INFERRED") && (
        <p className={styles.none}>
          Holdings: worked out from two readings of the holdings. Import the tradebook for the exact
          trades.
        </p>
      )}
      {gap !== null && <p className={styles.none}>{gap}</p>}
      {beyond > 0 && (
        <p className={styles.none}>
          {quantity(beyond)} more {beyond === 1 ? "share" : "shares"} traded beyond the advice.
        </p>
      )}
    </div>
  )
}

interface AdviceLineFillsProps {
  adviceId: string
  isin: string
  side: string
  symbol: string
}

/** The trades of one line of an advice, fetched when it opens. */
export function AdviceLineFills({ adviceId, isin, side, symbol }: AdviceLineFillsProps) {
  const execution = useQuery(executionQuery(adviceId))
  if (execution.isPending) return <Loading />
  if (execution.isError)
    return <ErrorNote message="Failed to fetch data" onRetry={execution.refetch} />
  const line = execution.data.lines.find((each) => each.isin === isin && each.side === side)
  return <LineFills symbol={symbol} fills={line?.fills ?? []} beyond={line?.beyondAdvice ?? 0} />
}
