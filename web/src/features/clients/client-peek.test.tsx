import { act, screen, waitFor, within } from "@testing-library/react"
import { expect, test, vi } from "vitest"
import { clientRow, pageOf } from "@/testing/clients"
import { answer, breakOff } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { cellsOf } from "@/testing/tables"

const two = [clientRow(), clientRow({ _id: "id-2", clientId: "C0002", name: "Ravi Iyer" })]

async function showList() {
  signedIn()
  return showApp("/home/client/details", { role: "ADMIN" })
}

const month = [
  { date: "2026-10-21", value: 5_500_000, netInvestment: 4_985_000, twrIndex: 110 },
  { date: "2026-11-20", value: 5_695_524.3, netInvestment: 4_985_000, twrIndex: 112.2 },
]

test("resting on a name shows the client's value, gain, cash and month; leaving closes it", async () => {
  answer("get", "/admin/clients", two, pageOf(2))
  const calls = answer("get", "/admin/clients/client/id-1/performance", month)
  const { user } = await showList()

  await user.hover(await screen.findByText("Asha Rao"))

  const card = await screen.findByRole("tooltip")
  expect(card).toHaveTextContent("Asha Rao C0001₹56,95,524.30")
  expect(card).toHaveTextContent("P&L+₹7,10,524.30+14.25%Cash₹1,45,478.10")
  expect(await within(card).findByText("+2.00%")).toBeVisible()
  expect(calls).toHaveLength(1)
  await user.unhover(screen.getByText("Asha Rao", { selector: "strong" }))
  await waitFor(() => expect(screen.queryByRole("tooltip")).toBeNull())
})

test("by keyboard the card comes with the row, and Escape closes it", async () => {
  answer("get", "/admin/clients", two, pageOf(2))
  breakOff("get", "/admin/clients/client/id-2/performance")
  const { user } = await showList()
  const row = await screen.findByRole("row", { name: /C0002/ })
  // What jsdom does not tell of the focus.
  vi.spyOn(row, "matches").mockReturnValue(true)

  act(() => row.focus())

  const card = await screen.findByRole("tooltip")
  expect(card).toHaveTextContent("Ravi Iyer")
  expect(card).not.toHaveTextContent("30 days")
  await user.keyboard("{Escape}")
  expect(screen.queryByRole("tooltip")).toBeNull()
})

test("a gain without a basis is since purchase, and a client of whom nothing was read has dashes", async () => {
  const unread = {
    totalPortfolio: null,
    totalInvestment: null,
    netPnL: null,
    netPnLPercentage: null,
    NetCashAmount: null,
  }
  answer(
    "get",
    "/admin/clients",
    [
      clientRow({ isSincePurchase: true, totalInvestment: null }),
      clientRow({ ...unread, _id: "id-2", clientId: "C0002" }),
    ],
    pageOf(2),
  )

  await showList()

  expect(cellsOf(await screen.findByRole("row", { name: /C0001/ }))).toContain(
    "| ₹56,95,524.30 | - | +₹7,10,524.30+14.25% since purchase | ₹1,45,478.10 |",
  )
  expect(cellsOf(screen.getByRole("row", { name: /C0002/ }))).toContain("| - | - | -- | - |")
})
