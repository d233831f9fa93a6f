import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { chooseClient, session } from "@/api/session"
import { keptBooks } from "@/testing/books"
import { holding, portfolio } from "@/testing/clients"
import { answer, answerWith } from "@/testing/server"
import { show } from "@/testing/show"
import { PortfolioTab } from "./portfolio-tab"

const base = "/admin/clients/client/id-1"

beforeEach(() => {
  session.start("token", "ADMIN")
  chooseClient("id-1", "C0001")
  answer("get", `${base}/portfolio`, portfolio())
  answerWith("get", `${base}/holdings`, {
    success: true,
    data: [holding()],
    totals: { currentValue: 800_000, invested: 600_000, pnl: 200_000, pnlPercentage: 33.33 },
    stale: [],
    pricedAt: "2026-11-20T10:00:00Z",
  })
  keptBooks()
})

const section = (name: string) => within(screen.getByRole("region", { name }))
const card = (name: string) => screen.getByRole("group", { name })

test.each([
  [
    "Your Holdings",
    [
      "Stock",
      "Quantity",
      "Average Price",
      "LTP",
      "Invested",
      "Current Value",
      "P&L",
      "P&L%",
      "Allocation",
    ],
  ],
  ["Accounting", ["Date", "Amount", "Cashflow Type", "Action"]],
  ["XIRR", ["Date", "Cashflow", "Amount", "Fees"]],
])("the table of %s has its heads and scrolls above 450 pixels", async (name, heads) => {
  await show(<PortfolioTab />)

  const found = await section(name).findAllByRole("columnheader")
  expect(found.map((head) => head.textContent)).toEqual(heads)
  expect(screen.getByRole("region", { name: `${name}, table` })).toHaveStyle({
    maxHeight: "450px",
  })
})

test.each([
  [
    "starting-capital",
    "Edit Starting Capital",
    "Edit",
    "Starting Capital",
    "2000000",
    "₹20,00,000.00",
  ],
  [
    "starting-date",
    "Edit Starting From",
    "Select Date",
    "Starting From",
    "2025-04-01",
    "01/04/2025",
  ],
])("a saved %s is shown at once", async (path, pencil, title, label, typed, shown) => {
  const { user } = await show(<PortfolioTab />)
  await waitFor(() => expect(card("Days")).toHaveTextContent("730"))
  await user.click(screen.getByRole("button", { name: pencil }))
  const dialog = within(await screen.findByRole("dialog", { name: title }))
  await user.clear(dialog.getByLabelText(label))
  await user.fill(dialog.getByLabelText(label), typed)
  const next = portfolio({ startingCapital: 2_000_000, startedFrom: "2025-04-01", version: 2 })
  answer("post", `${base}/${path}`, next)
  answer("get", `${base}/portfolio`, next)

  await user.click(dialog.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(card(label)).toHaveTextContent(shown))
  expect(screen.queryByRole("dialog")).toBeNull()
})

test("a starting capital accepts only a number", async () => {
  const { user } = await show(<PortfolioTab />)
  await waitFor(() => expect(card("Days")).toHaveTextContent("730"))
  await user.click(screen.getByRole("button", { name: "Edit Starting Capital" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Edit" }))

  await user.clear(dialog.getByLabelText("Starting Capital"))
  await user.fill(dialog.getByLabelText("Starting Capital"), "much")
  expect(dialog.getByLabelText("Starting Capital")).toHaveValue("")
  await user.click(dialog.getByRole("button", { name: "Save" }))

  expect(await dialog.findByText("Please enter a valid amount")).toBeVisible()
})
