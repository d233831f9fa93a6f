import { describe, expect, test } from "vitest"
import { basisPointsOf, totalOf } from "@/lib/shares"
import { ashaHoldings } from "@/testing/advice-rows"
import { newRow, rowsOf } from "./holdings"
import {
  type AdviceRow,
  amountOf,
  copiedTarget,
  fillTheRest,
  keyOf,
  normalise,
  refusalOf,
  refusalOfAll,
  refusals,
  shareOf,
  unitsOf,
} from "./targets"
import { asClientCode, isClientCode } from "./use-advice"

const stock = (
  symbol: string,
  target: number | null,
  more: Partial<AdviceRow> = {},
): AdviceRow => ({
  ...newRow({ tradingSymbol: symbol, exchange: "NSE", isin: "", instrumentToken: 1, ltp: 100 }),
  target,
  ...more,
})
const cash = (amount: number, target: number | null = null): AdviceRow => ({
  ...stock("CASH", target),
  exchange: "",
  amount,
})

describe("a client code", () => {
  test.each([
    ["c1007", "C1007"],
    ["1007", "C1007"],
    ["C10a07", "C1007"],
    ["C10078", "C1007"],
    ["c", "C"],
    ["", ""],
    ["x", ""],
  ])("typed %j becomes %j", (typed, code) => {
    expect(asClientCode(typed)).toBe(code)
  })

  test.each([
    ["C1007", true],
    ["C100", false],
    ["", false],
  ])("%j is whole: %j", (code, isWhole) => {
    expect(isClientCode(code)).toBe(isWhole)
  })
})

describe("a share of the Investment Value", () => {
  test.each([
    [1, 3, 3333],
    [2, 3, 6667],
    [171_804, 2_500_000, 687],
    [0.00005, 1, 1],
    [-1, 3, -3333],
  ])("%f of %f is %i basis points", (part, whole, share) => {
    expect(shareOf(unitsOf(part), whole)).toBe(share)
  })

  test("is not known without a price or an Investment Value", () => {
    expect(shareOf(null, 100)).toBeNull()
    expect(shareOf(1n, "")).toBeNull()
    expect(shareOf(1n, 0)).toBeNull()
  })

  test("is of an amount that is exact where doubles are not", () => {
    expect(amountOf(stock("A", null, { quantity: 3 }), 0.1)).toBe(unitsOf(0.3))
    expect(amountOf(stock("A", null, { quantity: 1_000_000 }), 145_678.1234)).toBe(
      1_456_781_234_000_000n,
    )
    expect(amountOf(cash(12.34), null)).toBe(unitsOf(12.34))
    expect(amountOf(stock("A", null, { quantity: 1 }), null)).toBeNull()
  })
})

describe("a target", () => {
  const rows = [stock("A", 6000), stock("B", 3000), cash(10_000)]
  const refusalFor = (key: string, target: number, investment: number | "" = 100_000) =>
    refusalOf({ rows, key, target, investment })

  test("needs an Investment Value", () => {
    expect(refusalFor("NSE:A", 1, "")).toBe(refusals.noInvestment)
    expect(refusalFor("NSE:A", 1, 0)).toBe(refusals.noInvestment)
  })

  test("may fill 100% and not a hundredth more", () => {
    expect(refusalFor("NSE:B", 4000)).toBeNull()
    expect(refusalFor("NSE:B", 4001)).toBe(refusals.over100)
    expect(refusalFor("NSE:B", -1)).toBe(refusals.over100)
  })

  test("of CASH is at most the cash there is", () => {
    expect(refusalFor("CASH", 1000)).toBeNull()
    expect(refusalFor("CASH", 999, 110_000)).toBe(refusals.cash)
  })

  test("of CASH is looked at again when the Investment Value has grown", () => {
    const set = [stock("A", 100), cash(10_000, 1000)]

    expect(refusalOfAll(set, 100_000)).toBeNull()
    expect(refusalOfAll(set, 200_000)).toBe(refusals.cash)
    expect(refusalOfAll(set, "")).toBe(refusals.noInvestment)
  })
})

test("a hundred small targets add up exactly", () => {
  const rows = Array.from({ length: 100 }, (_, place) => stock(`S${place}`, basisPointsOf(0.07)))

  expect(totalOf(rows)).toBe(700)
})

describe("Auto", () => {
  test("copies what is left where only rounding passes 100%", () => {
    const rows = [stock("A", 3334), stock("B", 3333), stock("C", null)]

    expect(copiedTarget(rows, "NSE:C", 3334)).toBe(3333)
    expect(copiedTarget(rows, "NSE:C", 3300)).toBe(3300)
  })

  test("does not hide a share that is truly too large", () => {
    const rows = [stock("A", 9000), stock("B", null)]

    expect(copiedTarget(rows, "NSE:B", 1500)).toBe(1500)
  })
})

describe("filling the rest", () => {
  test("spreads it evenly over the stocks whose target was typed", () => {
    const rows = [
      stock("A", 2000),
      stock("B", 1000, { copied: true, prevTarget: null }),
      stock("C", 3000),
      stock("D", 0),
      stock("E", null),
      cash(500, 500),
    ]

    const filled = fillTheRest(rows)

    expect(filled.map((row) => row.target)).toEqual([3750, 1000, 4750, 0, null, 500])
    expect(totalOf(filled)).toBe(10_000)
  })
})

describe("normalising", () => {
  test("keeps the proportions and adds up to 100% exactly", () => {
    const rows = [stock("A", 1), stock("B", 1), stock("C", 1), stock("D", null), stock("E", 0)]

    const scaled = normalise(rows, 1000)

    expect(scaled.map((row) => row.target)).toEqual([3334, 3333, 3333, null, 0])
  })

  test("gives CASH no more than there is", () => {
    const rows = [stock("A", 4000), stock("B", 2000), cash(1000, 1000)]

    const scaled = normalise(rows, 10_000)

    expect(scaled.map((row) => row.target)).toEqual([6000, 3000, 1000])
  })
})

test("CASH comes last, and holdings start without a target, so that none is sold unasked", () => {
  const rows = rowsOf(ashaHoldings)

  expect(rows.map((row) => [keyOf(row), row.target, row.amount])).toEqual([
    ["NSE:INFY", null, null],
    ["NSE:TCS", null, null],
    ["CASH", null, 10_000],
  ])
})
