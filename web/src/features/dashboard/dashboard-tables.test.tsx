import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { answer, hang } from "@/testing/server"
import { show } from "@/testing/show"
import { headings, pageSizes } from "@/testing/tables"
import { Dashboard } from "./dashboard"

const stocks = Array.from({ length: 45 }, (_, index) => ({
  symbol: `S${index}`,
  exchange: "NSE",
  instrumentToken: index,
  aumPercentage: 2,
  totalQuantity: 10,
  totalCurrentValue: 1100,
  totalInvestedValue: 1000,
  staleAt: null,
  staleSource: null,
  actionSuspected: false,
}))
const dayOf = (index: number) => `2026-10-${String(31 - index).padStart(2, "0")}`
const days = Array.from({ length: 12 }, (_, index) => ({
  date: dayOf(index),
  totalCurrentValue: 1_000_000 - index,
}))

beforeEach(() => {
  answer("get", "/admin/dashboard/stats", {
    totalClients: 46,
    totalCurrentAUM: 1_000_000,
    fees: 0,
    totalCashHoldings: 0,
  })
  answer("get", "/admin/dashboard/stocks-distribution", stocks)
  answer("get", "/admin/dashboard/daily-aum", days)
})

const section = (name: string) => within(screen.getByRole("heading", { name }).closest("section")!)

async function open() {
  const { user } = await show(<Dashboard />)
  await screen.findByRole("region", { name: "Stock Distribution, table" })
  return user
}

const rowsIn = (name: string) =>
  within(section(name).getByRole("table")).getAllByRole("row").slice(1)

test("a page has twenty stocks, or 5 or 10", async () => {
  const user = await open()
  const title = "Stock Distribution"

  expect(rowsIn(title)).toHaveLength(20)
  expect(await pageSizes(section(title))).toBe("5, 10, 20")
  await user.click(section(title).getByRole("button", { name: "Page 3" }))
  expect(rowsIn(title)).toHaveLength(5)
  expect(section(title).getByText("41–45 of 45")).toBeVisible()
  await user.selectOptions(section(title).getByLabelText("Rows on a page"), "10")

  expect(section(title).getByText("1–10 of 45")).toBeVisible()
})

test("a page has five days, or 10 or 20, the newest first, next to their chart", async () => {
  const user = await open()
  const title = "Daily AUM Value"

  const dates = rowsIn(title).map((row) => within(row).getAllByRole("cell")[0]!.textContent)
  expect(dates).toEqual([31, 30, 29, 28, 27].map((day) => `${day}/10/2026`))
  expect(await pageSizes(section(title))).toBe("5, 10, 20")
  expect(section(title).getByRole("img", { name: /^Daily AUM value from/ })).toBeVisible()
  await user.click(section(title).getByRole("button", { name: "Page 2" }))

  expect(section(title).getByText("6–10 of 12")).toBeVisible()
})

test("the tables have their heads and scroll above 450 pixels", async () => {
  await open()

  expect(await headings(section("Stock Distribution"))).toBe(
    "Stock | AUM % | Quantity | Invested Value | Current Value | Returns",
  )
  expect(await headings(section("Daily AUM Value"))).toBe("Date | AUM | Day change")
  for (const name of ["Stock Distribution", "Daily AUM Value"])
    expect(screen.getByRole("region", { name: `${name}, table` })).toHaveStyle({
      maxHeight: "450px",
    })
})

test.each(["stats", "stocks-distribution", "daily-aum"])(
  "the other calls do not wait for %s",
  async (slow) => {
    const others = ["stats", "stocks-distribution", "daily-aum"].filter((part) => part !== slow)
    const calls = others.map((part) => answer("get", `/admin/dashboard/${part}`, null))
    hang("get", `/admin/dashboard/${slow}`)

    await show(<Dashboard />)

    await waitFor(() => expect(calls.map((made) => made.length)).toEqual([1, 1]))
  },
)
