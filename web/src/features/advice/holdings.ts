import type { components } from "@/api/schema"
import { quantity } from "@/lib/format"
import { type AdviceRow, CASH, isCash, keyOf } from "./targets"

export type ClientHoldings = components["schemas"]["ClientHoldings"]

const bare = { product: "DELIVERY", target: null, prevTarget: null, copied: false }

/** The row of a stock that is not held. */
export const newRow = (
  stock: Pick<AdviceRow, "tradingSymbol" | "exchange" | "isin" | "instrumentToken" | "ltp">,
): AdviceRow => ({ ...bare, ...stock, quantity: 0, amount: null })

/** One row per holding, and CASH last. */
export function rowsOf({ holdings, cash }: ClientHoldings): AdviceRow[] {
  const stocks = holdings.map((holding): AdviceRow => {
    const { tradingSymbol, exchange, isin, instrumentToken, quantity, product, ltp } = holding
    const known = { tradingSymbol, exchange, isin, instrumentToken, quantity, product, ltp }
    const staleAt = holding.isPriceStale ? holding.pricedAt : null
    const { priceSource, uncredited, actionPending: isActionPending } = holding
    return { ...bare, ...known, staleAt, priceSource, isActionPending, uncredited, amount: null }
  })
  const cashRow = { tradingSymbol: CASH, exchange: "", isin: "", instrumentToken: null, ltp: null }
  return [...stocks, { ...bare, ...cashRow, quantity: 0, amount: cash }]
}

export const byKey = (rows: AdviceRow[]) => new Map(rows.map((row) => [keyOf(row), row]))

/** The rows with these stocks before CASH. */
export function withStocks(rows: AdviceRow[], stocks: AdviceRow[]): AdviceRow[] {
  const cash = rows.findIndex(isCash)
  return rows.toSpliced(cash === -1 ? rows.length : cash, 0, ...stocks)
}

/** The stocks in `now` that are not in `before`; all are known where nothing was noted before. */
const newIn = (before: AdviceRow[], now: AdviceRow[]) => {
  const known = byKey(before)
  return before.length === 0 ? [] : now.filter((row) => !known.has(keyOf(row)))
}

/**
 * The rows with the newest quantities, prices and cash; the targets stay. A stock that the client holds since
 * `before` gets a row; one that the person removed does not come back.
 */
export function withHoldings(rows: AdviceRow[], before: AdviceRow[], now: AdviceRow[]) {
  const held = byKey(now)
  const shown = byKey(rows)
  const updated = rows.map((row) => {
    const current = held.get(keyOf(row))
    if (!current) return { ...row, quantity: 0, isActionPending: false, uncredited: 0 }
    const { quantity, amount, ltp, staleAt, priceSource, isActionPending, uncredited } = current
    const marks = { staleAt, priceSource, isActionPending, uncredited }
    return { ...row, quantity, amount, ltp, ...marks }
  })
  const added = newIn(before, now).filter((row) => !shown.has(keyOf(row)))
  return withStocks(updated, added)
}

/** What a client bought and sold between two readings, in words; null when nothing. Cash always moves. */
export function holdingsChange(before: AdviceRow[], now: AdviceRow[]): string | null {
  if (before.length === 0) return null
  const held = byKey(now)
  const moved = before.flatMap((row) => {
    const after = held.get(keyOf(row))
    if (!after || after.quantity === row.quantity) return []
    return [`${row.tradingSymbol} ${quantity(row.quantity)} → ${quantity(after.quantity)}`]
  })
  const names = (rows: AdviceRow[]) => rows.map((row) => row.tradingSymbol)
  const parts = Object.entries({
    "New: ": names(newIn(before, now)),
    "No longer held: ": names(before.filter((row) => !held.has(keyOf(row)))),
    "Other quantity: ": moved,
  })
  const said = parts.filter(([, stocks]) => stocks.length > 0)
  return said.length === 0
    ? null
    : said.map(([words, stocks]) => `${words}${stocks.join(", ")}.`).join(" ")
}
