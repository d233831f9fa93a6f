import { act, screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { reconnecting } from "@/live/feed"
import { priceStore } from "@/live/prices"
import { holding, portfolio } from "@/testing/clients"
import { portfolioAnswered } from "@/testing/books"
import { answer, breakOff, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { toastMessages } from "@/testing/toasts"
import { PortfolioTab } from "./portfolio-tab"
import type { Holding, Portfolio } from "./queries"

const base = "/admin/clients/client/id-1"
const infosys = holding()
const itc = holding({
  tradingSymbol: "ITC",
  isin: "INE154A01025",
  instrumentToken: 424961,
  quantity: 1000,
  ltp: 400,
  averagePrice: 410,
})

async function showTab(figures?: Partial<Portfolio>, stocks: Holding[] = [infosys, itc]) {
  const totals = {
    currentValue: 1_200_000,
    invested: 1_010_000,
    pnl: 190_000,
    pnlPercentage: 18.81,
  }
  portfolioAnswered({ figures, stocks, totals })
  const shown = await show(<PortfolioTab />)
  await waitFor(() => expect(card("Days")).toHaveTextContent("730"))
  return shown
}

const card = (name: string) => screen.getByRole("group", { name })
const held = () => within(screen.getByRole("region", { name: "Your Holdings" }))
const symbols = () =>
  within(held().getByRole("table"))
    .getAllByRole("row")
    .slice(1, -1)
    .map((row) => within(row).getAllByRole("cell")[0]!.textContent)

test("the cards of the specification, the funds and the age of the prices", async () => {
  await showTab()

  expect(card("Starting From")).toHaveTextContent("21/11/2024")
  expect(card("Days")).toHaveTextContent("730")
  expect(card("Portfolio Value")).toHaveTextContent("₹12,50,000.00")
  expect(card("Starting Capital")).toHaveTextContent("₹10,00,000.00")
  expect(card("P&L Amount")).toHaveTextContent("+₹2.50 L+₹2,50,000.00")
  expect(card("P&L%")).toHaveTextContent("+25.00%")
  expect(card("XIRR%")).toHaveTextContent("+11.80%+15.27% time-weighted")
  expect(card("XIRR(Period)")).toHaveTextContent("2.00 years")
  expect(card("Net Investment")).toHaveTextContent("₹10,00,000.00")
  expect(card("Net Profit")).toHaveTextContent("+₹2,00,000.00 after fees")
  expect(card("Your Broker")).toHaveTextContent("Zerodha")
  expect(screen.getByRole("region", { name: "Available Funds" })).toHaveTextContent(
    "Net₹50,000.00Available Cash₹45,000.00Intraday Payin₹5,000.00",
  )
  expect(screen.queryByText(/Prices as of/)).not.toBeInTheDocument()
  act(() => reconnecting(1))
  expect(screen.getByText(/Prices as of 20\/11\/2026 15:30 IST, .* ago/)).toBeVisible()
})

test("any other broker has the other logo, and no broker a dash", async () => {
  const { unmount } = await showTab({ broker: { name: "ANGEL_ONE", logo: "" } })
  expect(card("Your Broker")).toHaveTextContent("Angel One")
  unmount()

  await showTab({ broker: { name: "", logo: "" } })
  expect(card("Your Broker")).toHaveTextContent("Your Broker-Not entered yet")
})

test("where there is no rate, a dash is shown with the reason", async () => {
  const reason = "Everything happened on one day; a yearly rate needs at least two."
  await showTab({
    xirrPercentage: null,
    xirrReason: "ZERO_DURATION",
    xirrMessage: reason,
  })

  expect(card("XIRR%")).toHaveTextContent(`XIRR%-${reason}`)
})

test("a period under a year also shows the absolute return", async () => {
  await showTab({ absoluteReturnPercentage: 4.2, twrPercentage: 5 })

  expect(card("XIRR%")).toHaveTextContent("+4.20% absolute return")
})

test("holdings are listed by their share, with totals", async () => {
  await showTab()

  expect(symbols()).toEqual(["INFYNSE", "ITCNSE"])
  expect(screen.getByRole("row", { name: /INFY/ })).toHaveTextContent(
    "INFYNSE5001,200.001,600.00₹6,00,000.00₹8,00,000.00+₹2,00,000.00+33.33%66.67%",
  )
  expect(held().getByRole("row", { name: /^Total/ })).toHaveTextContent(
    "₹10,10,000.00₹12,00,000.00+₹1,90,000.00+18.81%100.00%",
  )
})

test("a tick moves the price, the holding, the totals and the portfolio, but no row", async () => {
  await showTab()

  act(() => priceStore.collect({ "424961": 900 }))

  const itcRow = screen.getByRole("row", { name: /ITC/ })
  await waitFor(() => expect(itcRow).toHaveTextContent("900.00"))
  await waitFor(() => expect(itcRow).toHaveTextContent("₹9,00,000.00+₹4,90,000.00"))
  expect(card("Portfolio Value")).toHaveTextContent("₹17,50,000.00")
  expect(card("P&L Amount")).toHaveTextContent("+₹7,50,000.00")
  expect(symbols()).toEqual(["INFYNSE", "ITCNSE"])
})

test("holdings can be sorted and searched", async () => {
  const { user } = await showTab()

  await user.click(held().getByRole("button", { name: "P&L" }))
  await user.click(held().getByRole("button", { name: "P&L" }))
  expect(symbols()).toEqual(["ITCNSE", "INFYNSE"])

  await user.fill(screen.getByLabelText("Search holdings"), "ine009")
  await waitFor(() => expect(screen.queryByRole("row", { name: /ITC/ })).toBeNull())
  expect(screen.getByRole("row", { name: /INFY/ })).toBeVisible()
})

test("a stock that never had a price is marked", async () => {
  await showTab(undefined, [
    infosys,
    { ...itc, isStale: true, pricedAt: null, priceSource: null, ltp: 410 },
  ])

  expect(screen.getByRole("row", { name: /ITC/ })).toHaveTextContent(
    "No price yet. Valued at the average price.",
  )
})

test("a client without holdings sees how to add them", async () => {
  const { user } = await showTab(undefined, [])
  expect(screen.getByText("No Data Available")).toBeVisible()

  await user.click(screen.getAllByRole("button", { name: "Import holdings" }).at(-1)!)

  expect(await screen.findByLabelText("Drop a file here, or choose one")).toBeInTheDocument()
})

test("the starting capital is edited, and a refusal shows the server's message", async () => {
  const calls = refuse("post", `${base}/starting-capital`, 422, "The amount is too large.")
  const { user } = await showTab()
  await user.click(screen.getByRole("button", { name: "Edit Starting Capital" }))
  const dialog = await screen.findByRole("dialog", { name: "Edit" })

  await user.refill(within(dialog).getByLabelText("Starting Capital"), "2500000.5")
  await user.click(within(dialog).getByRole("button", { name: "Save" }))

  await waitFor(() =>
    expect(calls.map((call) => call.body)).toEqual([{ amount: 2_500_000.5, version: 1 }]),
  )
  await waitFor(() => expect(toastMessages()).toEqual(["The amount is too large."]))
  expect(dialog).toBeVisible()
})

test("a portfolio that fails to load shows an error, and the rest of the tab stays", async () => {
  portfolioAnswered()
  refuse("get", `${base}/portfolio`, 500, "Something went wrong")
  breakOff("get", `${base}/holdings`)
  await show(<PortfolioTab />)

  const alerts = await screen.findAllByRole("alert")
  expect(alerts[0]).toHaveTextContent("Failed to fetch client data")
  expect(await screen.findByRole("row", { name: /02\/03\/2026 ₹50,000.00/ })).toBeVisible()

  answer("get", `${base}/portfolio`, portfolio())
  screen.getAllByRole("button", { name: "Retry" })[0]!.click()
  await waitFor(() => expect(card("Days")).toHaveTextContent("730"))
})
