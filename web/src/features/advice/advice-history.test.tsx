import { screen, waitFor, within } from "@testing-library/react"
import { http, HttpResponse } from "msw"
import { beforeEach, expect, test, vi } from "vitest"
import { chooseClient } from "@/api/session"
import { pageOf } from "@/testing/clients"
import { answer, breakOff, refuse, server } from "@/testing/server"
import { show } from "@/testing/show"
import { toasts } from "@/ui/toast"
import { AdviceHistory } from "./advice-history"
import type { SentAdvice } from "./advice-history-queries"

const path = "/admin/advice/clients/id-1"

const stock = (
  symbol: string,
  change: Partial<SentAdvice["stocks"][number]> = {},
): SentAdvice["stocks"][number] => ({
  type: "BUY",
  symbol,
  exchange: "NSE",
  product: "DELIVERY",
  isin: "INE009A01021",
  instrumentToken: 1,
  quantity: 40,
  allocationPercentage: 10,
  possibleAllocationPercentage: 9.87,
  drift: -0.13,
  message: "",
  ltp: 1600,
  currentInvestmentValue: 12_345.6,
  additionalInvestmentValue: 64_000,
  valueToBeFreed: 0,
  projectedInvestmentValue: 76_345.6,
  ...change,
})

const advice = (id: string, change: Partial<SentAdvice> = {}): SentAdvice => ({
  _id: id,
  // Still the 19th in London, already the 20th in India.
  createdAt: "2026-11-19T20:30:00Z",
  totalStocks: 2,
  totalInvestedValue: 1_000_000,
  totalBuyValue: 64_000,
  totalSellValue: 20_000,
  rationale: "",
  delivery: { status: "SENT", at: "2026-11-19T20:31:00Z", error: null },
  stocks: [stock("INFY"), stock("ITC", { type: "SELL", quantity: 1200 })],
  ...change,
})

beforeEach(() => chooseClient("id-1", "C0001"))

const rows = () => within(screen.getByRole("table")).getAllByRole("row").slice(1)

test("each stock is a row with the columns of the specification", async () => {
  answer("get", path, [advice("a")], pageOf(1, 200))

  await show(<AdviceHistory />)

  const heads = (await screen.findAllByRole("columnheader")).map((head) => head.textContent)
  expect(heads).toEqual([
    "Date",
    "Stock",
    "Transaction Type",
    "Quantity",
    "% Allocation",
    "Investment Amount",
    "Order Type",
    "Exchnage",
    "Delivery",
    "Letter",
  ])
  expect(rows().map((row) => row.textContent)).toEqual([
    "20/11/2026INFYBUY409.87%₹12,345.60DELIVERYNSESENT",
    "20/11/2026ITCSELL1,2009.87%₹12,345.60DELIVERYNSE",
  ])
})

test("an advice that could not be delivered says why", async () => {
  const delivery = { status: "FAILED" as const, at: "2026-11-19T20:31:00Z", error: "Mailbox full" }
  answer("get", path, [advice("a", { delivery })], pageOf(1, 200))

  await show(<AdviceHistory />)

  expect(await screen.findByText("FAILED")).toBeVisible()
  expect(screen.getByText("Mailbox full")).toBeVisible()
})

test("twenty rows stand on a page", async () => {
  const many = Array.from({ length: 12 }, (_, index) => advice(`a${index}`))
  answer("get", path, many, pageOf(12, 200))
  const { user } = await show(<AdviceHistory />)
  await screen.findByText("1–20 of 24")
  expect(rows()).toHaveLength(20)

  await user.click(screen.getByRole("button", { name: "Page 2" }))

  expect(screen.getByText("21–24 of 24")).toBeVisible()
})

test("an advice that goes on over the page bears its state there again", async () => {
  const stocks = Array.from({ length: 21 }, (_, index) => stock(`S${index}`))
  answer("get", path, [advice("a", { stocks })], pageOf(1, 200))
  const { user } = await show(<AdviceHistory />)
  expect(await screen.findAllByText("SENT")).toHaveLength(1)

  await user.click(screen.getByRole("button", { name: "Page 2" }))

  expect(rows().map((row) => row.textContent)).toEqual([
    "20/11/2026S20BUY409.87%₹12,345.60DELIVERYNSESENT",
  ])
})

test("a range of days is asked of the server, and the first page is shown again", async () => {
  const many = Array.from({ length: 12 }, (_, index) => advice(`a${index}`))
  const calls = answer("get", path, many, pageOf(12, 200))
  const { user } = await show(<AdviceHistory />)
  await user.click(await screen.findByRole("button", { name: "Page 2" }))

  await user.type(screen.getByLabelText("Date"), "01-11-2026 – 20-11-2026{Enter}")

  await waitFor(() => expect(calls.at(-1)!.search.get("from")).toBe("2026-11-01"))
  expect(calls.at(-1)!.search.get("to")).toBe("2026-11-20")
  expect(await screen.findByText("1–20 of 24")).toBeVisible()
})

test("the first day picked arms the filter, the second applies it", async () => {
  const calls = answer("get", path, [advice("a")], pageOf(1, 200))
  const { user } = await show(<AdviceHistory />)
  await screen.findByText("SENT")

  await user.click(screen.getByRole("button", { name: "Open calendar: Date" }))
  const days = await screen.findAllByRole("button", { name: /^\d+ \w+ \d{4}$/ })
  const inMonth = days.filter((day) => !day.hasAttribute("data-outside"))
  await user.click(inMonth[9]!)
  expect(calls).toHaveLength(1)
  await user.click(inMonth[11]!)

  await waitFor(() => expect(calls).toHaveLength(2))
  expect(calls[1]!.search.get("from")).toMatch(/-10$/)
  expect(calls[1]!.search.get("to")).toMatch(/-12$/)
})

test("a filter that finds nothing says so and can be cleared", async () => {
  const calls = answer("get", path, [], pageOf(0, 200))
  const { user } = await show(<AdviceHistory />)
  expect(await screen.findByText("No Data Available")).toBeVisible()
  await user.type(screen.getByLabelText("Date"), "01-11-2026 – 20-11-2026{Enter}")
  await screen.findByText("No advice was sent in these days.")

  await user.click(screen.getAllByRole("button", { name: "Clear filter" })[0]!)

  await screen.findByText("Advice that is sent to this client stands here.")
  expect(calls[1]!.search.get("from")).toBe("2026-11-01")
})

test("a history that fails to load says so", async () => {
  breakOff("get", path)

  await show(<AdviceHistory />)

  expect(await screen.findByText("Failed to fetch data")).toBeVisible()
})

test("the letter is fetched with the session's token and saved under the client's code and day", async () => {
  sessionStorage.setItem("token", "token-of-the-test")
  answer("get", path, [advice("a")], pageOf(1, 200))
  let authorization: string | null = null
  server.use(
    http.get("*/api/v1/admin/advice/a/letter.pdf", ({ request }) => {
      authorization = request.headers.get("Authorization")
      return new HttpResponse("%PDF-1.7", { headers: { "Content-Type": "application/pdf" } })
    }),
  )
  const saved: string[] = []
  URL.createObjectURL = () => "blob:letter"
  URL.revokeObjectURL = () => undefined
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.push(`${this.href} ${this.download}`)
  })
  const { user } = await show(<AdviceHistory />)

  await user.click(await screen.findByRole("button", { name: "Download the letter of 20/11/2026" }))

  await waitFor(() => expect(saved).toEqual(["blob:letter advice-C0001-2026-11-20.pdf"]))
  expect(authorization).toBe("Bearer token-of-the-test")
})

test("a letter that cannot be fetched says why", async () => {
  answer("get", path, [advice("a")], pageOf(1, 200))
  refuse("get", "/admin/advice/a/letter.pdf", 404, "Advice not found")
  const { user } = await show(<AdviceHistory />)

  await user.click(await screen.findByRole("button", { name: /Download the letter/ }))

  await waitFor(() =>
    expect(toasts.get().map((toast) => toast.message)).toEqual(["Advice not found"]),
  )
})
