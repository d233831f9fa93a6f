import { dateTime } from "@/lib/dates"
import { price, quantity } from "@/lib/format"
import { type Execution, sourceWords } from "@/parts/follow-up"
import { StatusPill } from "@/ui/status-pill"
import { type Column, Table } from "@/ui/table/table"
import styles from "./follow-up.module.css"

type OwnTrade = NonNullable<Execution["ownTrades"]>[number]

const columns: Column<OwnTrade>[] = [
  { title: "Time", cell: (trade) => dateTime(trade.at), card: "note" },
  { title: "Stock", cell: (trade) => <strong>{trade.tradingSymbol}</strong>, card: "title" },
  { title: "Side", cell: (trade) => <StatusPill word={trade.side} />, card: "note" },
  { title: "Quantity", cell: (trade) => quantity(trade.quantity), align: "right", card: "main" },
  { title: "Price", cell: (trade) => price(trade.price), align: "right", card: "aside" },
  { title: "Source", cell: (trade) => sourceWords[trade.source] },
]

/** What the client traded inside the window of stocks that nobody advised; null if not known. */
export function OwnTrades({ trades }: { trades: OwnTrade[] | null }) {
  if (trades === null)
    return (
      <p className={styles.none}>
        Not known: the client’s trades have not been read since the advice was sent.
      </p>
    )
  if (trades.length === 0) return <p className={styles.none}>None.</p>
  return (
    <Table
      label="Own trades"
      name="own-trades"
      columns={columns}
      rows={trades}
      rowKey={(trade) => `${trade.isin} ${trade.side} ${trade.at} ${trade.tradeId}`}
      rowName={(trade) => `${trade.tradingSymbol}, ${dateTime(trade.at)}`}
      empty={{ title: "No Data Available" }}
      isDense
    />
  )
}
