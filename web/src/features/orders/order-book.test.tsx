import { screen, waitFor } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { session } from "@/api/session"
import { order, pageOf } from "@/testing/clients"
import { expectFetchStates } from "@/testing/fetch-states"
import { answerOrders, openOrders, ordersChosen, ordersPath, ordersShown } from "@/testing/orders"
import { answerBy, refuse } from "@/testing/server"
import { headings, pageSizes, rowTexts } from "@/testing/tables"

beforeEach(ordersChosen)

test("an order is a row with the columns of the specification", async () => {
  answerOrders([
    order(),
    order({
      _id: "2",
      tradingSymbol: "ITC",
      transactionType: "SELL",
      quantity: 40,
      filledQuantity: 15,
      averagePrice: 0,
      product: "CNC",
      exchange: "BSE",
      orderStatus: "OPEN",
      rawStatus: "TRIGGER PENDING",
    }),
  ])

  await openOrders()

  expect(await screen.findByRole("heading", { level: 1, name: "Order Book" })).toBeVisible()
  expect(await headings()).toBe(
    "Date | Stock | Quantity | Price | Action | Order Type | Exchange | Status",
  )
  await ordersShown()
  expect(screen.getByRole("region", { name: "Order Book, table" })).toHaveStyle({
    maxHeight: "450px",
  })
  expect(rowTexts()).toEqual([
    "20/11/2026INFY1,200₹1,432.55BUYDELIVERYNSECOMPLETE",
    "20/11/2026ITC15 of 40-SELLCNCBSEOPEN",
  ])
  expect(screen.getByTitle("TRIGGER PENDING")).toHaveTextContent("OPEN")
})

test("an order that was closed here bears a mark that says why", async () => {
  answerOrders([
    order({ orderStatus: "CANCELLED", rawStatus: "TRIGGER PENDING", isLapsed: true }),
    order({ _id: "2", tradingSymbol: "ITC", orderStatus: "CANCELLED", rawStatus: "CANCELLED" }),
  ])

  await openOrders()

  await ordersShown()
  const words = "Closed by Tarazu: its day is over and the broker reported no result."
  expect(screen.getByTitle(words)).toHaveTextContent(`by us${words}`)
  expect(screen.getByText(words)).toHaveClass("sr-only")
  const [lapsed, other] = screen.getAllByRole("row").slice(1)
  expect(lapsed).toHaveTextContent("CANCELLEDby us")
  expect(other).not.toHaveTextContent("by us")
})

test.each([
  ["COMPLETE", "gain"],
  ["OPEN", "warn"],
  ["REJECTED", "loss"],
  ["CANCELLED", "loss"],
] as const)("%s is shown as %s", async (orderStatus, tone) => {
  answerOrders([order({ orderStatus, rawStatus: orderStatus })])

  await openOrders()

  expect(await screen.findByText(orderStatus)).toHaveAttribute("data-tone", tone)
})

test("the first page has twenty rows, and another size starts on page 1", async () => {
  const calls = answerOrders([order()], 120)
  const { user, router } = await openOrders()
  await screen.findByText("1–20 of 120")
  expect(Object.fromEntries(calls[0]!.search)).toEqual({ page: "1", limit: "20" })
  expect(await pageSizes()).toBe("10, 20, 50")

  await user.click(screen.getByRole("button", { name: "Page 2" }))
  await screen.findByText("21–40 of 120")
  expect(router.state.location.search).toMatchObject({ page: 2 })
  await user.selectOptions(screen.getByLabelText("Rows on a page"), "50")

  await screen.findByText("1–50 of 120")
  expect(Object.fromEntries(calls.at(-1)!.search)).toEqual({ page: "1", limit: "50" })
})

test("a shared address restores the view, and what makes no sense in it is left out", async () => {
  const calls = answerOrders([order()], 120, 10)
  const { unmount } = await openOrders("?page=2&limit=10&from=2026-11-01&to=2026-11-20&status=OPEN")
  await screen.findByText("11–20 of 120")
  expect(Object.fromEntries(calls[0]!.search)).toEqual({
    page: "2",
    limit: "10",
    from: "2026-11-01",
    to: "2026-11-20",
    status: "OPEN",
  })
  unmount()

  await openOrders("?page=-1&limit=9999&from=2026-11-20&to=2026-11-01&status=DONE")

  await screen.findByText("1–20 of 120")
  expect(Object.fromEntries(calls.at(-1)!.search)).toEqual({ page: "1", limit: "20" })
})

test("a page past the end leads to the last one", async () => {
  answerBy("get", ordersPath, ({ search }) => ({
    success: true,
    data: { orders: search.get("page") === "2" ? [order()] : [] },
    ...pageOf(25, 20),
  }))

  const { router } = await openOrders("?page=9")

  await ordersShown()
  expect(router.state.location.search).toMatchObject({ page: 2 })
})

test("without orders it says so; filters that fit none can be cleared", async () => {
  const calls = answerOrders([], 0)
  const { user, router } = await openOrders()
  expect(await screen.findByText("No Data Available")).toBeVisible()
  expect(screen.getByText("Orders reported by the broker appear here.")).toBeVisible()
  expect(screen.getByRole("button", { name: "Connect the broker" })).toBeVisible()
  await user.choose("Filter", "Status")
  await user.click(await screen.findByRole("menuitem", { name: "OPEN" }))
  await screen.findByText("No order fits these filters.")

  await user.click(screen.getByRole("button", { name: "Clear filters" }))

  await screen.findByText("Orders reported by the broker appear here.")
  expect(calls.map((call) => call.search.get("status"))).toContain("OPEN")
  expect(router.state.location.searchStr).toBe("")
})

test("loading and failure show their messages", () =>
  expectFetchStates(ordersPath, {
    open: openOrders,
    data: { orders: [] },
    more: pageOf(0, 20),
    shows: "No Data Available",
  }))

test("a session that ended leads to log-in and back to the same view", async () => {
  refuse("get", ordersPath, 401, "Session expired. Please log in again.")

  const { router } = await openOrders("?status=OPEN")

  await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
  expect(router.state.location.search).toEqual({ next: "/home/client/order-book?status=OPEN" })
  session.start("another", "ADMIN")
  expect(session.get("clientId")).toBe("id-1")
})
