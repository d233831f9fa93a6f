import { screen, waitFor } from "@testing-library/react"
import type { UserEvent } from "@testing-library/user-event"
import { beforeEach, expect, test } from "vitest"
import { chooseClient, session } from "@/api/session"
import { clientProfile, order, pageOf } from "@/testing/clients"
import { answer, answerBy, breakOff, hang, refuse, server } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"

const path = "/admin/clients/client/id-1/order-book"
const profilePath = "/admin/clients/client/id-1/profile"

beforeEach(() => {
  chooseClient("id-1", "C0001")
  signedIn()
  answer("get", profilePath, clientProfile())
})

const book = (orders = [order()], total = orders.length, limit = 20) =>
  answer("get", path, { orders }, pageOf(total, limit))
const open = (search = "") => showApp(`/home/client/order-book${search}`, { role: "ADMIN" })
const shown = () => screen.findByRole("cell", { name: "INFY" })

async function openMenu(user: UserEvent, entry: "Date" | "Status") {
  await user.click(screen.getByRole("button", { name: "Filter" }))
  await user.click(await screen.findByRole("menuitem", { name: entry }))
}

test("an order is a row with the columns of the specification", async () => {
  book([
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

  await open()

  expect(await screen.findByRole("heading", { level: 1, name: "Order Book" })).toBeVisible()
  const heads = (await screen.findAllByRole("columnheader")).map((head) => head.textContent)
  expect(heads).toEqual([
    "Date",
    "Stock",
    "Quantity",
    "Price",
    "Action",
    "Order Type",
    "Exchange",
    "Status",
  ])
  await shown()
  const rows = screen.getAllByRole("row").slice(1)
  expect(rows.map((row) => row.textContent)).toEqual([
    "20/11/2026INFY1,200₹1,432.55BUYDELIVERYNSECOMPLETE",
    "20/11/2026ITC15 of 40-SELLCNCBSEOPEN",
  ])
  expect(screen.getByTitle("TRIGGER PENDING")).toHaveTextContent("OPEN")
})

test("an order that was closed here bears a mark that says why", async () => {
  book([
    order({ orderStatus: "CANCELLED", rawStatus: "TRIGGER PENDING", isLapsed: true }),
    order({ _id: "2", tradingSymbol: "ITC", orderStatus: "CANCELLED", rawStatus: "CANCELLED" }),
  ])

  await open()

  await shown()
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
  book([order({ orderStatus, rawStatus: orderStatus })])

  await open()

  expect(await screen.findByText(orderStatus)).toHaveAttribute("data-tone", tone)
})

test("the first page has twenty rows, and another size starts on page 1", async () => {
  const calls = book([order()], 120)
  const { user, router } = await open()
  await screen.findByText("1–20 of 120")
  expect(Object.fromEntries(calls[0]!.search)).toEqual({ page: "1", limit: "20" })

  await user.click(screen.getByRole("button", { name: "Page 2" }))
  await screen.findByText("21–40 of 120")
  expect(router.state.location.search).toMatchObject({ page: 2 })
  await user.selectOptions(screen.getByLabelText("Rows on a page"), "50")

  await screen.findByText("1–50 of 120")
  expect(Object.fromEntries(calls.at(-1)!.search)).toEqual({ page: "1", limit: "50" })
})

test("a shared address restores the view, and what makes no sense in it is left out", async () => {
  const calls = book([order()], 120, 10)
  const { unmount } = await open("?page=2&limit=10&from=2026-11-01&to=2026-11-20&status=OPEN")
  await screen.findByText("11–20 of 120")
  expect(Object.fromEntries(calls[0]!.search)).toEqual({
    page: "2",
    limit: "10",
    from: "2026-11-01",
    to: "2026-11-20",
    status: "OPEN",
  })
  unmount()

  await open("?page=-1&limit=9999&from=2026-11-20&to=2026-11-01&status=DONE")

  await screen.findByText("1–20 of 120")
  expect(Object.fromEntries(calls.at(-1)!.search)).toEqual({ page: "1", limit: "20" })
})

test("a page past the end leads to the last one", async () => {
  answerBy("get", path, ({ search }) => ({
    success: true,
    data: { orders: search.get("page") === "2" ? [order()] : [] },
    ...pageOf(25, 20),
  }))

  const { router } = await open("?page=9")

  await shown()
  expect(router.state.location.search).toMatchObject({ page: 2 })
})

test("while it loads it says so", async () => {
  hang("get", path)

  await open()

  expect(await screen.findByText("Fetching data...")).toBeVisible()
})

test("without orders it says so; filters that fit none can be cleared", async () => {
  const calls = book([], 0)
  const { user, router } = await open()
  expect(await screen.findByText("No Data Available")).toBeVisible()
  expect(screen.getByText("Orders reported by the broker appear here.")).toBeVisible()
  await openMenu(user, "Status")
  await user.click(await screen.findByRole("menuitem", { name: "OPEN" }))
  await screen.findByText("No order fits these filters.")

  await user.click(screen.getByRole("button", { name: "Clear filters" }))

  await screen.findByText("Orders reported by the broker appear here.")
  expect(calls.map((call) => call.search.get("status"))).toContain("OPEN")
  expect(router.state.location.searchStr).toBe("")
})

test.each(["a server that fails", "no network"])(
  "%s is said, and can be asked again",
  async (why) => {
    if (why === "no network") breakOff("get", path)
    else refuse("get", path, 500, "")
    const { user } = await open()
    await screen.findByText("Failed to fetch data")
    server.resetHandlers()
    signedIn()
    answer("get", profilePath, clientProfile())
    book()

    await user.click(screen.getByRole("button", { name: "Retry" }))

    await shown()
  },
)

test("a session that ended leads to log-in and back to the same view", async () => {
  refuse("get", path, 401, "Session expired. Please log in again.")

  const { router } = await open("?status=OPEN")

  await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
  expect(router.state.location.search).toEqual({ next: "/home/client/order-book?status=OPEN" })
  session.start("another", "ADMIN")
  expect(session.get("clientId")).toBe("id-1")
})
