import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { portfolioAnswered } from "@/testing/books"
import { portfolio } from "@/testing/clients"
import { answer, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { toastMessages } from "@/testing/toasts"
import { PortfolioTab } from "./portfolio-tab"
import type { Holding, Portfolio } from "./queries"

const base = "/admin/clients/client/id-1"
const noBasis = {
  startingCapital: 0,
  netInvestment: null,
  netProfit: null,
  totalPnL: 200_000,
  pnlPercentage: 33.33,
  isSincePurchase: true,
  totalCurrentValue: 800_000,
  portfolioValue: 850_000,
}
const unread = {
  portfolioValue: null,
  totalPnL: null,
  pnlPercentage: null,
  netProfit: null,
  totalCurrentValue: 0,
  net: null,
  cash: null,
  intradayPayin: null,
}
const byHand = {
  amount: 50_000,
  asOf: "2026-11-12",
  enteredAt: "2026-11-12T10:00:00Z",
  enteredBy: "Asha Rao",
}

async function showTab(figures: Partial<Portfolio>, stocks?: Holding[]) {
  portfolioAnswered({ figures, stocks })
  const shown = await show(<PortfolioTab />)
  await waitFor(() => expect(card("Days")).toHaveTextContent("730"))
  return shown
}

const card = (name: string) => screen.getByRole("group", { name })
const funds = () => within(screen.getByRole("region", { name: "Available Funds" }))

test("without a basis the gain is since purchase, and agrees with the holdings", async () => {
  await showTab(noBasis)

  expect(card("P&L Amount")).toHaveTextContent("+₹2,00,000.00 since purchase")
  expect(card("P&L%")).toHaveTextContent("+33.33%Since purchase")
  expect(card("Net Investment")).toHaveTextContent("Net Investment--Not entered yet")
  expect(card("Net Profit")).toHaveTextContent(/^Net Profit-/)
  expect(card("Starting Capital")).toHaveTextContent(/^Starting Capital-/)
  const held = within(screen.getByRole("region", { name: "Your Holdings" }))
  expect(held.getByRole("row", { name: /^Total/ })).toHaveTextContent("+₹2,00,000.00+33.33%")
})

test("Enter starting capital suggests what the holdings cost", async () => {
  const calls = answer("post", `${base}/starting-capital`, portfolio())
  const { user } = await showTab(noBasis)

  await user.click(screen.getByRole("button", { name: "Enter starting capital" }))
  const dialog = within(await screen.findByRole("dialog"))
  expect(dialog.getByLabelText("Starting Capital")).toHaveValue("₹6,00,000")
  expect(dialog.getByText("Suggested: the holdings cost ₹6,00,000.00.")).toBeVisible()
  await user.click(dialog.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(calls[0]?.body).toEqual({ amount: 600_000, version: 1 }))
})

test("a client without any holdings or funds has no value and no loss", async () => {
  await showTab(unread, [])

  expect(card("Portfolio Value")).toHaveTextContent("Portfolio Value-No holdings or funds yet")
  expect(card("P&L Amount")).toHaveTextContent(/^P&L Amount--/)
  expect(card("P&L%")).toHaveTextContent(/^P&L%-/)
  expect(screen.getByRole("region", { name: "Available Funds" })).toHaveTextContent(
    "Net-Available Cash-Intraday Payin-",
  )
})

test("cash by hand is shown with the day and the person", async () => {
  await showTab({ cashByHand: byHand })

  expect(funds().getByText("Cash by hand, 12 Nov 2026, Asha Rao")).toBeVisible()
})

test("cash is entered with its day", async () => {
  const calls = answer("put", `${base}/cash`, portfolio({ cashByHand: byHand }))
  const { user } = await showTab(unread, [])

  await user.click(funds().getByRole("button", { name: "Enter cash" }))
  const dialog = within(await screen.findByRole("dialog"))
  await user.fill(dialog.getByLabelText("Cash"), "50000.5")
  await user.refill(dialog.getByLabelText("As of"), "2026-11-12")
  await user.click(dialog.getByRole("button", { name: "Save" }))

  await waitFor(() =>
    expect(calls[0]?.body).toEqual({ amount: 50_000.5, asOf: "2026-11-12", version: 1 }),
  )
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
})

test("a refusal of the cash shows the server's message, and the dialog stays open", async () => {
  const words = "The broker is connected and reports the cash. Sync the client instead."
  refuse("put", `${base}/cash`, 409, words)
  const { user } = await showTab({ cashByHand: byHand })

  await user.click(funds().getByRole("button", { name: "Enter cash" }))
  const dialog = within(await screen.findByRole("dialog"))
  await user.click(dialog.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(toastMessages()).toContain(words))
  expect(screen.getByRole("dialog")).toBeVisible()
})

test("while the broker is connected, no cash can be entered", async () => {
  await showTab({ isConnected: true })

  expect(funds().queryByRole("button", { name: "Enter cash" })).toBeNull()
})

test("holdings with shares that are not credited are listed above the figures", async () => {
  await showTab({ actionPending: ["INFY", "TCS"] })

  expect(await screen.findByText(/^Action pending in INFY, TCS: /)).toBeVisible()
})

test("holdings with a suspected split are listed above the figures they affect", async () => {
  await showTab({ actionSuspected: ["INFY"] })

  expect(await screen.findByText(/^Action suspected in INFY: /)).toBeVisible()
})
