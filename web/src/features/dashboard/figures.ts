/** One stock in the whole firm's holdings. Rupees; `aumPercentage` is its share of the firm's AUM. */
export interface StockShare {
  symbol: string
  exchange: string
  instrumentToken: number
  aumPercentage: number
  totalQuantity: number
  totalCurrentValue: number
  totalInvestedValue: number
  /** When its price was made and by whom, where that is too old to advise at. */
  staleAt: string | null
  staleSource: string | null
  /** Shares and price moved apart as in a split, so that what was gained is not known. */
  actionSuspected: boolean
}

export interface DayAum {
  date: string
  totalCurrentValue: number
}

/** Percent gained on what was invested; null ("N/A") when nothing was, or an action is suspected. */
export const returnOf = (share: StockShare) => {
  const { totalCurrentValue, totalInvestedValue } = share
  return totalInvestedValue > 0 && !share.actionSuspected
    ? ((totalCurrentValue - totalInvestedValue) / totalInvestedValue) * 100
    : null
}

/**
 * The rows at the current prices, in their order. A share is recalculated against the AUM as it
 * moved with all stocks; a stock without a tick stays as the server valued it.
 */
export function atLastPrices(
  shares: StockShare[],
  aum: number | undefined,
  priceOf: (token: number) => number | undefined,
): { shares: StockShare[]; aum: number | undefined } {
  const valued = shares.map((share) => {
    const price = priceOf(share.instrumentToken)
    if (price === undefined) return share
    const worth = price * share.totalQuantity
    // A new connection is sent what the server knows, the stale prices among them.
    const isStale = Math.abs(worth - share.totalCurrentValue) < 0.01
    return { ...share, totalCurrentValue: worth, staleAt: isStale ? share.staleAt : null }
  })
  const moved = valued.reduce(
    (sum, share, index) => sum + share.totalCurrentValue - (shares[index]?.totalCurrentValue ?? 0),
    0,
  )
  if (aum === undefined) return { shares: valued, aum }
  const now = aum + moved
  return {
    aum: now,
    shares:
      now > 0
        ? valued.map((share) => ({
            ...share,
            aumPercentage: (share.totalCurrentValue / now) * 100,
          }))
        : valued,
  }
}

export interface DayRow extends DayAum {
  /** Percent against the day before; null on the first day. */
  change: number | null
}

/** Each day with its change against the day before it. `days` is newest first. */
export const withChanges = (days: DayAum[]): DayRow[] =>
  days.map((day, index) => {
    const before = days[index + 1]?.totalCurrentValue
    return {
      ...day,
      change:
        before === undefined || before <= 0 ? null : (day.totalCurrentValue / before - 1) * 100,
    }
  })
