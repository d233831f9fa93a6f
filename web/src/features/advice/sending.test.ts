import { expect, test } from "vitest"
import { ashaRebalance } from "@/testing/advice-rows"
import { draftForAsha } from "@/testing/advice-screen"
import { draft, type RebalanceRow } from "./draft"
import { adviceOf } from "./sending"

const rows = ashaRebalance.data as RebalanceRow[]
const priced = (type: RebalanceRow["type"], symbol: string, projected: number): RebalanceRow => ({
  ...rows[0]!,
  type,
  symbol,
  projectedInvestmentValue: projected,
})

test("HOLD rows are left out, with or without a price, and the totals are of BUY and of SELL", () => {
  draftForAsha()
  const data = [
    ...rows,
    priced("BUY", "WIPRO", 1_000.1),
    priced("SELL", "TITAN", 2_000.2),
    priced("HOLD", "SBIN", 4_000.4),
  ]

  const advice = adviceOf({ ...ashaRebalance, data }, draft.get())

  expect(advice.stocks.map((stock) => [stock.type, stock.symbol])).toEqual([
    ["BUY", "TCS"],
    ["SELL", "INFY"],
    ["BUY", "WIPRO"],
    ["SELL", "TITAN"],
  ])
  expect(advice).toMatchObject({
    totalStocks: 4,
    totalBuyValue: 40_000.1,
    totalSellValue: 51_500.2,
  })
})
