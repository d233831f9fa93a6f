import { price, quantity, rupees } from "@/lib/format"
import { LivePrice } from "@/live/live-price"
import { ShareBar } from "@/ui/chart/bars"
import { Change } from "@/ui/money"
import { ActionPending } from "@/parts/action-pending"
import { StaleNote } from "@/parts/stale-note"
import type { Column } from "@/ui/table/table"
import type { LiveHolding } from "./live-figures"
import styles from "./portfolio.module.css"

const noPriceHint = "No price yet. Valued at the average price."
const suspectedHint =
  "Shares or price changed as in a split or bonus that is not recorded yet. The profit is unknown."

function Stock({ holding }: { holding: LiveHolding }) {
  return (
    <span className={styles.stock}>
      <strong>{holding.tradingSymbol}</strong>
      <span className={styles.exchange}>{holding.exchange}</span>
      {holding.isStale && holding.pricedAt === null && (
        <span className={styles.stale} title={noPriceHint}>
          No price<span className="sr-only">. {noPriceHint}</span>
        </span>
      )}
      {holding.actionSuspected && (
        <span className={styles.stale} title={suspectedHint}>
          Action suspected<span className="sr-only">. {suspectedHint}</span>
        </span>
      )}
      {holding.actionPending && <ActionPending uncredited={holding.uncredited} />}
    </span>
  )
}

/** All shares owned, and beside them those that cannot be sold now. */
function Shares({ holding }: { holding: LiveHolding }) {
  const { t1, boughtToday, pledged, uncredited, free } = holding
  const parts: [number, string][] = [
    [boughtToday, "bought today"],
    [t1, "T1"],
    [pledged, "pledged"],
    [uncredited, "not credited"],
  ]
  const held = parts.filter(([number]) => number > 0)
  if (held.length === 0) return quantity(holding.quantity)
  return (
    <span className={styles.shares}>
      {quantity(holding.quantity)}
      <small>
        {[[free, "free"] as const, ...held]
          .map(([number, words]) => `${quantity(number)} ${words}`)
          .join(" · ")}
      </small>
    </span>
  )
}

/** The largest share has the longest bar. */
export const holdingColumns = (largest: number): Column<LiveHolding>[] => [
  {
    title: "Stock",
    cell: (holding) => <Stock holding={holding} />,
    sortKey: "tradingSymbol",
    card: "title",
  },
  {
    title: "Quantity",
    cell: (holding) => <Shares holding={holding} />,
    sortKey: "quantity",
    align: "right",
  },
  {
    title: "Average Price",
    cell: (holding) => price(holding.averagePrice),
    sortKey: "averagePrice",
    align: "right",
  },
  {
    title: "LTP",
    cell: (holding) => (
      <LivePrice
        token={holding.instrumentToken}
        otherwise={holding.ltp}
        stale={holding.isStale && <StaleNote at={holding.pricedAt} source={holding.priceSource} />}
      />
    ),
    sortKey: "price",
    align: "right",
    card: "note",
  },
  {
    title: "Invested",
    cell: (holding) => rupees(holding.invested),
    sortKey: "invested",
    align: "right",
  },
  {
    title: "Current Value",
    cell: (holding) => rupees(holding.currentValue),
    sortKey: "currentValue",
    align: "right",
    card: "main",
  },
  {
    title: "P&L",
    cell: (holding) => <Change value={holding.pnl} />,
    sortKey: "pnl",
    align: "right",
  },
  {
    title: "P&L%",
    cell: (holding) => <Change percentage={holding.pnlPercentage} />,
    sortKey: "pnlPercentage",
    align: "right",
    card: "aside",
  },
  {
    title: "Allocation",
    cell: (holding) => <ShareBar share={holding.allocation} largest={largest} />,
    sortKey: "allocation",
    align: "right",
  },
]

/** The columns that each set hides. */
export const holdingSets = {
  Basic: ["Average Price", "Invested", "P&L", "P&L%"],
  Performance: ["Quantity", "Average Price", "LTP", "Allocation"],
}

/** Rows in the order of `allocation` or `-allocation`; ties by symbol. */
export function sorted(rows: LiveHolding[], sort: string): LiveHolding[] {
  const key = sort.replace("-", "") as keyof LiveHolding
  const sign = sort.startsWith("-") ? -1 : 1
  return rows.toSorted((first, second) => {
    const [a, b] = [first[key], second[key]]
    const order =
      typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b))
    return order === 0 ? first.tradingSymbol.localeCompare(second.tradingSymbol) : sign * order
  })
}
