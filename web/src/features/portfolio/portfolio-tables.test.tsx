import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { session } from "@/api/session"
import { portfolioAnswered } from "@/testing/books"
import { portfolio } from "@/testing/clients"
import { answer } from "@/testing/server"
import { show } from "@/testing/show"
import { headings } from "@/testing/tables"
import { PortfolioTab } from "./portfolio-tab"

const base = "/admin/clients/client/id-1"

beforeEach(() => {
  session.start("token", "ADMIN")
  portfolioAnswered()
})

const section = (name: string) => within(screen.getByRole("region", { name }))
const card = (name: string) => screen.getByRole("group", { name })

test.each([
  [
    "Your Holdings",
    "Stock | Quantity | Average Price | LTP | Invested | Current Value | P&L | P&L% | Allocation",
  ],
  ["Accounting", "Date | Amount | Cashflow Type | Action"],
  ["XIRR", "Date | Cashflow | Amount | Fees"],
])("the table of %s has its heads and scrolls above 450 pixels", async (name, heads) => {
  await show(<PortfolioTab />)

  expect(await headings(section(name))).toBe(heads)
  expect(screen.getByRole("region", { name: `${name}, table` })).toHaveStyle({
    maxHeight: "450px",
  })
})

test.each([
  ["capital", "Edit", "Starting Capital", { amount: 2_000_000 }, "₹20,00,000.00"],
  ["date", "Select Date", "Starting From", { startingDate: "2025-04-01" }, "01/04/2025"],
] as const)("a saved starting %s is shown at once", async (path, title, label, sent, shown) => {
  const { user } = await show(<PortfolioTab />)
  await waitFor(() => expect(card("Days")).toHaveTextContent("730"))
  await user.click(screen.getByRole("button", { name: `Edit ${label}` }))
  const dialog = within(await screen.findByRole("dialog", { name: title }))
  await user.refill(dialog.getByLabelText(label), String(Object.values(sent)[0]))
  const next = portfolio({ startingCapital: 2_000_000, startedFrom: "2025-04-01", version: 2 })
  const calls = answer("post", `${base}/starting-${path}`, next)
  answer("get", `${base}/portfolio`, next)

  await user.click(dialog.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(card(label)).toHaveTextContent(shown))
  expect(screen.queryByRole("dialog")).toBeNull()
  expect(calls[0]?.body).toEqual({ ...sent, version: 1 })
})

test.each([
  ["Edit Starting Capital", "Starting Capital", "much", "Please enter a valid amount"],
  ["Edit Starting From", "Starting From", "2999-01-01", "Please select a valid date"],
])("%s refuses what is not one", async (pencil, label, typed, message) => {
  const { user } = await show(<PortfolioTab />)
  await waitFor(() => expect(card("Days")).toHaveTextContent("730"))
  await user.click(screen.getByRole("button", { name: pencil }))
  const dialog = within(await screen.findByRole("dialog"))

  await user.refill(dialog.getByLabelText(label), typed)
  await user.click(dialog.getByRole("button", { name: "Save" }))

  expect(await dialog.findByText(message)).toBeVisible()
})
