import { expect, test } from "vitest"
import { holding, portfolio } from "@/testing/clients"
import { atLastPrices, type HoldingSums, withHoldingsAt } from "./live-figures"

const infosys = holding()
const reliance = holding({
  tradingSymbol: "RELIANCE",
  instrumentToken: 738561,
  quantity: 3,
  averagePrice: 1300.1234,
  ltp: 1400.1,
})

test("a tick replaces the server's price, which is used until then", () => {
  const { rows } = atLastPrices([infosys, reliance], (token) =>
    token === 408065 ? 1650.05 : undefined,
  )

  expect(rows[0]).toMatchObject({ price: 1650.05, currentValue: 825_025, pnl: 225_025 })
  expect(rows[1]).toMatchObject({ price: 1400.1, currentValue: 4200.3, invested: 3900.3702 })
})

test("sums are exact and shares add up", () => {
  const pennies = Array.from({ length: 10 }, (_, index) =>
    holding({ instrumentToken: index, quantity: 1, ltp: 0.1, averagePrice: 0.2 }),
  )

  const { rows, totals } = atLastPrices(pennies, () => undefined)

  expect(totals).toEqual({ currentValue: 1, invested: 2, pnl: -1, pnlPercentage: -50 })
  expect(rows.map((row) => row.allocation)).toEqual(Array.from({ length: 10 }, () => 10))
})

test("a stock without a price is stale until its first tick", () => {
  const stale = holding({ isStale: true, ltp: 1200 })

  expect(atLastPrices([stale], () => undefined).rows[0]?.isStale).toBe(true)
  expect(atLastPrices([stale], () => 1210).rows[0]?.isStale).toBe(false)
})

test("without holdings the value is zero, and no share is NaN", () => {
  expect(atLastPrices([], () => undefined).totals).toEqual({
    currentValue: 0,
    invested: 0,
    pnl: 0,
    pnlPercentage: 0,
  })
})

const sums = (change: Partial<HoldingSums>): HoldingSums => ({
  currentValue: 1_200_000,
  invested: 1_000_000,
  pnl: 200_000,
  pnlPercentage: 20,
  ...change,
})

test("a gain since purchase is that of the holdings, and unknown figures stay unknown", () => {
  const unknown = { netInvestment: null, netProfit: null, isSincePurchase: true }
  const moved = withHoldingsAt(
    portfolio({ ...unknown, totalPnL: 200_000, pnlPercentage: 20 }),
    sums({ currentValue: 1_210_000, pnl: 210_000, pnlPercentage: 21 }),
  )

  expect(moved).toMatchObject({
    ...unknown,
    portfolioValue: 1_260_000,
    totalPnL: 210_000,
    pnlPercentage: 21,
  })
})

test("without any holdings or funds there is no value and no gain", () => {
  const unknown = { portfolioValue: null, totalPnL: null, pnlPercentage: null, netProfit: null }
  const moved = withHoldingsAt(
    portfolio({ ...unknown, totalCurrentValue: 0 }),
    sums({ currentValue: 0, invested: 0, pnl: 0, pnlPercentage: 0 }),
  )

  expect(moved).toMatchObject(unknown)
})

test("a gain of the holdings is added to the portfolio, and the other figures stay", () => {
  const moved = withHoldingsAt(portfolio(), sums({ currentValue: 1_210_000.5 }))

  expect(moved).toEqual(
    portfolio({
      totalCurrentValue: 1_210_000.5,
      portfolioValue: 1_260_000.5,
      totalPnL: 260_000.5,
      netProfit: 210_000.5,
      pnlPercentage: 26.00005,
    }),
  )
})
