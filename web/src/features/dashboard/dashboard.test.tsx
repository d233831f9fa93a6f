import { act, screen, waitFor, within } from "@testing-library/react"
import { describe, expect, test } from "vitest"
import { priceStore } from "@/live/prices"
import { answer, hang, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { Dashboard } from "./dashboard"
import { atLastPrices, returnOf, withChanges } from "./figures"

const stats = {
  totalClients: 46,
  totalCurrentAUM: 1000000,
  fees: 2523000.5,
  totalCashHoldings: 100000,
}
const share = (symbol: string, token: number, value: number, invested: number) => ({
  symbol,
  exchange: "NSE",
  instrumentToken: token,
  aumPercentage: value / 10000,
  totalQuantity: 100,
  totalCurrentValue: value,
  totalInvestedValue: invested,
  staleAt: null,
  staleSource: null,
  actionSuspected: false,
})
const stocks = [share("INFY", 1, 500000, 400000), share("ITC", 2, 400000, 0)]
const days = [
  { date: "2026-11-20", totalCurrentValue: 990000 },
  { date: "2026-11-19", totalCurrentValue: 900000 },
]

const answerAll = () => {
  answer("get", "/admin/dashboard/stats", stats)
  answer("get", "/admin/dashboard/stocks-distribution", stocks)
  answer("get", "/admin/dashboard/daily-aum", days)
}
const parts = ["stats", "stocks-distribution", "daily-aum"]
const barTexts = (bars: HTMLElement) =>
  within(bars)
    .getAllByRole("listitem")
    .map((bar) => bar.textContent)
const card = (name: string) => screen.getByRole("group", { name })

describe("the four cards", () => {
  test("they show counts and short sums, with the full sum beside", async () => {
    answerAll()
    await show(<Dashboard />)

    await waitFor(() => expect(card("Total Clients")).toHaveTextContent("46"))
    expect(card("Total AUM")).toHaveTextContent("₹10.00 L₹10,00,000.00")
    expect(card("Total AUM")).toHaveTextContent("+1.01% since last close")
    expect(card("Total Earnings")).toHaveTextContent("₹25.23 L")
    expect(card("Total Cash Holdings")).toHaveTextContent("10.00% of AUM")
  })

  test("while they load it says so", async () => {
    for (const part of parts) hang("get", `/admin/dashboard/${part}`)

    await show(<Dashboard />)

    expect(screen.getAllByText("Fetching data...").length).toBeGreaterThan(0)
  })
})

describe("stock distribution", () => {
  test("opens as a table with the exact figures, and each share's bar in its row", async () => {
    answerAll()
    await show(<Dashboard />)

    const row = await screen.findByRole("row", {
      name: "INFY 50.00% 100 ₹4,00,000.00 ₹5,00,000.00 +25.00%",
    })
    expect(row).toBeVisible()
    expect(screen.getByRole("row", { name: /^ITC .* N\/A$/ })).toBeVisible()
    const widths = ["INFY", "ITC"].map(
      (symbol) =>
        screen
          .getByRole("row", { name: new RegExp(`^${symbol}`) })
          .querySelector<HTMLElement>("[aria-hidden] > span")?.style.width,
    )
    expect(widths).toEqual(["100%", "80%"])
  })

  test("the bars are ranked as the server ranks them, with share, value and return", async () => {
    answerAll()
    const { user } = await show(<Dashboard />)
    await user.click(await screen.findByRole("button", { name: "Bars" }))

    const bars = await screen.findByRole("list", { name: "Stocks by their share of the AUM" })
    expect(barTexts(bars)).toEqual(["INFY50.00%₹5.00 L+25.00%", "ITC40.00%₹4.00 LN/A"])
  })

  test("values follow the ticks without a change of order", async () => {
    answerAll()
    const { user } = await show(<Dashboard />)
    await user.click(await screen.findByRole("button", { name: "Bars" }))
    const bars = await screen.findByRole("list", { name: "Stocks by their share of the AUM" })

    act(() => priceStore.collect({ "1": 1000 }))

    await waitFor(
      () => expect(barTexts(bars)).toEqual(["INFY16.67%₹1.00 L-75.00%", "ITC66.67%₹4.00 LN/A"]),
      { timeout: 2000 },
    )
    await waitFor(() => expect(card("Total AUM")).toHaveTextContent("₹6,00,000.00"))
  })
})

describe("failures", () => {
  test("each call fails alone, and only its own section is empty", async () => {
    answer("get", "/admin/dashboard/stats", stats)
    refuse("get", "/admin/dashboard/stocks-distribution", 500, "")
    answer("get", "/admin/dashboard/daily-aum", days)

    await show(<Dashboard />)

    expect(await screen.findByRole("alert")).toHaveTextContent("No stock data available")
    expect(card("Total Clients")).toHaveTextContent("46")
    expect(screen.getByRole("row", { name: "20/11/2026 ₹9,90,000.00 +10.00%" })).toBeVisible()
  })

  test("when all fail it says so once, and tries all again", async () => {
    for (const part of parts) refuse("get", `/admin/dashboard/${part}`, 500, "")
    const { user } = await show(<Dashboard />)

    const alert = (await screen.findByText("An error occurred while fetching dashboard data."))
      .parentElement!
    answerAll()
    await user.click(within(alert).getByRole("button", { name: "Retry" }))

    await waitFor(() => expect(card("Total Clients")).toHaveTextContent("46"))
    expect(screen.queryByRole("alert")).not.toBeInTheDocument()
  })

  test("without a session it says so", async () => {
    const message = "You are not logged in. Please sign in again."
    for (const part of parts) refuse("get", `/admin/dashboard/${part}`, 401, message)

    await show(<Dashboard />)

    expect(await screen.findByText(message)).toBeVisible()
    expect(screen.queryByText("An error occurred while fetching dashboard data.")).toBeNull()
  })

  test("an empty firm says what is missing", async () => {
    answer("get", "/admin/dashboard/stats", { ...stats, totalClients: 0 })
    answer("get", "/admin/dashboard/stocks-distribution", [])
    answer("get", "/admin/dashboard/daily-aum", [])

    await show(<Dashboard />)

    expect(await screen.findByText("No stock data available")).toBeVisible()
    expect(await screen.findByText("No AUM data available")).toBeVisible()
  })
})

describe("the sums behind", () => {
  test("a return is the gain on what was invested, and none where nothing was", () => {
    expect(returnOf(share("A", 1, 150, 100))).toBe(50)
    expect(returnOf(share("A", 1, 50, 100))).toBe(-50)
    expect(returnOf(share("A", 1, 50, 0))).toBeNull()
    expect(returnOf(share("A", 1, 50, -1))).toBeNull()
  })

  test("shares are recalculated from the changed AUM", () => {
    const now = atLastPrices(stocks, 1000000, (token) => (token === 1 ? 6000 : undefined))

    expect(now.aum).toBe(1100000)
    expect(now.shares.map((each) => [each.symbol, each.totalCurrentValue])).toEqual([
      ["INFY", 600000],
      ["ITC", 400000],
    ])
    expect(now.shares[0]!.aumPercentage).toBeCloseTo(54.5455, 3)
  })

  test("the first day has no change", () => {
    expect(withChanges(days).map((day) => day.change)).toEqual([expect.closeTo(10, 6), null])
  })
})
