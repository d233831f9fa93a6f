import { expect, test } from "vitest"
import { faultOf, fiscalYear, fiscalYears, presets, yearName } from "./periods"

test("the presets are the fiscal years and five years that end today", () => {
  expect(presets("2026-11-26").map(({ range }) => range)).toEqual([
    { from: "2026-04-01", to: "2026-11-26" },
    { from: "2025-04-01", to: "2026-03-31" },
    { from: "2021-11-27", to: "2026-11-26" },
  ])
  expect(presets("2026-03-31")[0]?.range).toEqual({ from: "2025-04-01", to: "2026-03-31" })
})

test("every preset can be a pack, on a leap day too", () => {
  for (const now of ["2026-11-26", "2026-04-01", "2028-02-29"])
    expect(presets(now).map(({ range }) => faultOf(range, now))).toEqual(["", "", ""])
})

test("days that cannot be a pack are named", () => {
  const fault = (from: string, to: string) => faultOf({ from, to }, "2026-11-26")
  expect(fault("", "2026-11-01")).toBe("Choose the first and the last day.")
  expect(fault("2026-11-02", "2026-11-01")).toBe("The last day is before the first.")
  expect(fault("2026-11-02", "2026-11-27")).toBe("The last day is in the future.")
  expect(fault("2021-11-26", "2026-11-26")).toBe("A pack has at most 5 years. Choose fewer days.")
})

test("fiscal years are named after both their years, the newest first", () => {
  expect(fiscalYears("2026-03-31").map(yearName)).toEqual([
    "2025-26",
    "2024-25",
    "2023-24",
    "2022-23",
    "2021-22",
  ])
  expect(yearName("1999-04-01")).toBe("1999-00")
  expect(fiscalYear("2027-04-01")).toEqual({ from: "2027-04-01", to: "2028-03-31" })
})
