import type { Holding, Portfolio } from "./queries"

/** Prices have at most four decimals, so whole ten-thousandths add up exactly. */
const PARTS = 10_000
const parts = (rupees: number) => Math.round(rupees * PARTS)

/** Percent of a whole; zero where there is no whole. */
const shareOf = (part: number, whole: number) => (whole > 0 ? (part / whole) * 100 : 0)

export interface LiveHolding extends Holding {
  /** The price that the figures are computed with. */
  price: number
}

export interface HoldingSums {
  currentValue: number
  invested: number
  /** Null while the profit of a holding is unknown. */
  pnl: number | null
  pnlPercentage: number | null
}

/** The holdings at the newest prices, and their sums; a stock without a tick keeps the server's price. */
export function atLastPrices(
  holdings: Holding[],
  lastPrice: (token: number) => number | undefined,
): { rows: LiveHolding[]; totals: HoldingSums } {
  const valued = holdings.map((holding) => {
    const tick = lastPrice(holding.instrumentToken)
    const price = tick ?? holding.ltp
    const value = parts(price) * holding.quantity
    // The average of shares that wait to be credited is rounded; what all of them cost is not.
    const isRounded = holding.actionPending
    const cost = isRounded
      ? parts(holding.invested)
      : parts(holding.averagePrice) * holding.quantity
    // On connection the server sends all its prices, stale ones too.
    const isStale = holding.isStale && (tick === undefined || tick === holding.ltp)
    return { holding, price, value, cost, isStale, isKnown: !holding.actionSuspected }
  })
  const isKnown = valued.every((each) => each.isKnown)
  const value = valued.reduce((sum, each) => sum + each.value, 0)
  const cost = valued.reduce((sum, each) => sum + each.cost, 0)
  return {
    rows: valued.map((each) => ({
      ...each.holding,
      price: each.price,
      isStale: each.isStale,
      currentValue: each.value / PARTS,
      invested: each.cost / PARTS,
      pnl: each.isKnown ? (each.value - each.cost) / PARTS : null,
      pnlPercentage: each.isKnown ? shareOf(each.value - each.cost, each.cost) : null,
      allocation: shareOf(each.value, value),
    })),
    totals: {
      currentValue: value / PARTS,
      invested: cost / PARTS,
      pnl: isKnown ? (value - cost) / PARTS : null,
      pnlPercentage: isKnown ? shareOf(value - cost, cost) : null,
    },
  }
}

/**
 * The portfolio's figures with the live value of its holdings. A gain since purchase is that of the holdings.
 * Returns that need dates (XIRR) stay the server's, and unknown figures stay unknown.
 */
export function withHoldingsAt(portfolio: Portfolio, holdings: HoldingSums): Portfolio {
  const moved = parts(holdings.currentValue) - parts(portfolio.totalCurrentValue)
  const shifted = (rupees: number | null) =>
    rupees === null ? null : (parts(rupees) + moved) / PARTS
  const live = {
    ...portfolio,
    totalCurrentValue: holdings.currentValue,
    portfolioValue: shifted(portfolio.portfolioValue),
    netProfit: shifted(portfolio.netProfit),
  }
  if (portfolio.isSincePurchase)
    return { ...live, totalPnL: holdings.pnl, pnlPercentage: holdings.pnlPercentage }
  const totalPnL = shifted(portfolio.totalPnL)
  const { netInvestment } = portfolio
  const pnlPercentage =
    totalPnL === null || netInvestment === null ? null : shareOf(totalPnL, netInvestment)
  return { ...live, totalPnL, pnlPercentage }
}
