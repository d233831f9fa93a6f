import { describe, expect, test } from "vitest"
import { OVER_100, totalOf, WHOLE } from "@/lib/shares"
import {
  type Constituent,
  differencesOf,
  fillTheRest,
  keyOf,
  normalise,
  refusalOf,
  spreadEvenly,
} from "./constituents"

const row = (symbol: string, target: number | null): Constituent => ({
  symbol,
  exchange: "NSE",
  name: symbol,
  isin: "",
  instrumentToken: 1,
  target,
})
const targets = (rows: Constituent[]) => rows.map(({ target }) => target)

describe("a target", () => {
  const rows = [row("INFY", 6000), row("TCS", 3000)]

  test("may take exactly what is left", () => {
    expect(refusalOf(rows, "NSE:TCS", 4000)).toBeNull()
  })

  test("is refused a hundredth beyond, and below nought", () => {
    expect(refusalOf(rows, "NSE:TCS", 4001)).toBe(OVER_100)
    expect(refusalOf(rows, "NSE:TCS", -1)).toBe(OVER_100)
  })

  test("of another exchange is another row", () => {
    expect(refusalOf(rows, "BSE:TCS", 2000)).toBe(OVER_100)
  })
})

describe("what is spread adds up to 100% and nothing else moves", () => {
  test("evenly over three: the odd hundredth goes to one", () => {
    const spread = spreadEvenly([row("A", null), row("B", 1), row("C", 9000)])

    expect(targets(spread)).toEqual([3334, 3333, 3333])
  })

  test("the rest over those that have a target", () => {
    expect(targets(fillTheRest([row("A", 5000), row("B", null), row("C", 1999)]))).toEqual([
      6501,
      null,
      3499,
    ])
  })

  test("by scaling, in proportion", () => {
    expect(targets(normalise([row("A", 3000), row("B", 1000), row("C", null)]))).toEqual([
      7500,
      2500,
      null,
    ])
  })

  test("whatever the targets were", () => {
    for (const seed of [1, 7, 333, 3333, 4999]) {
      const rows = [row("A", seed), row("B", 17), row("C", seed + 1)]
      expect(totalOf(normalise(rows))).toBe(WHOLE)
      expect(totalOf(fillTheRest(rows))).toBe(Math.max(WHOLE, totalOf(rows)))
    }
  })
})

test("differences: the largest change first, added and removed stocks marked, unchanged ones counted", () => {
  const differences = differencesOf(
    [row("INFY", 5000), row("TCS", 3000), row("ITC", 1000)],
    [row("INFY", 4500), row("TCS", 3000), row("SBIN", 2500)],
  )

  expect(
    differences.map(({ symbol, before, after, change }) => [symbol, before, after, change]),
  ).toEqual([
    ["SBIN", null, 2500, 2500],
    ["ITC", 1000, null, -1000],
    ["INFY", 5000, 4500, -500],
    ["TCS", 3000, 3000, 0],
  ])
  expect(differences[0]?.key).toBe(keyOf({ exchange: "NSE", symbol: "SBIN" }))
})
