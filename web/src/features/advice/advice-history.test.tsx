import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { useState } from "react"
import { chooseClient } from "@/api/session"
import type { Range } from "@/lib/dates"
import { clientProfile, pageOf } from "@/testing/clients"
import { answerFile, watchDownloads } from "@/testing/downloads"
import { expectFetchStates } from "@/testing/fetch-states"
import { execution, executedLine, followUpRow } from "@/testing/follow-up"
import { answer, refuse } from "@/testing/server"
import { type Person, show, showApp } from "@/testing/show"
import { advice, historyPath as path, stock } from "@/testing/sent-advice"
import { signedIn } from "@/testing/signed-in"
import { headings, rowTexts } from "@/testing/tables"
import { toastMessages } from "@/testing/toasts"
import { AdviceHistory } from "./advice-history"

beforeEach(() => chooseClient("id-1", "C0001"))

/** The address keeps the view; here the component around it does. */
function Shown() {
  const [view, setView] = useState<{ page: number; range: Range | null }>({ page: 1, range: null })
  return <AdviceHistory {...view} onView={setView} />
}

async function openDates(user: Person) {
  await user.choose("Filter", "Date")
  return screen.findByLabelText("Dates")
}

const opened = async (user: Person) => {
  const name = "Show details of the advice of 20/11/2026"
  await user.click(await screen.findByRole("button", { name }))
  return within(screen.getByRole("region", { name: "Orders of 20/11/2026, table" }))
}

test("each advice is a row with its orders, their values and its delivery", async () => {
  answer("get", path, [advice("a")], pageOf(1, 20))

  await show(<Shown />)

  expect(await headings()).toBe(
    "Details | Date(DD/MM/YYYY) | Orders | To sell | To buy | Followed | Delivery | Letter | Record",
  )
  expect(rowTexts()).toEqual(["20/11/20262: 1 SELL, 1 BUY₹20,000.00₹64,000.00-SENT"])
})

test("an advice opens to its stocks with price and order value, the reason and the own sentence", async () => {
  const stocks = [
    stock("INFY", { message: "New: target 10 %. Buy 40, reaches 9.87 %", note: "A fair price." }),
    stock("ITC", { type: "SELL", quantity: 1200, valueToBeFreed: 20_000 }),
  ]
  answer("get", path, [advice("a", { stocks, rationale: "Back to the model." })], pageOf(1, 20))
  const { user } = await show(<Shown />)

  const orders = await opened(user)

  expect(await headings(orders)).toBe(
    "Stock | Transaction Type | Quantity | Price | Order Value | % Allocation | Investment Amount | Order Type | Exchnage | Reason",
  )
  const [, infy, itc] = orders.getAllByRole("row")
  expect(infy).toHaveTextContent(
    "INFYBUY401,600.00₹64,000.009.87%₹12,345.60DELIVERYNSENew: target 10 %. Buy 40, reaches 9.87 %A fair price.",
  )
  expect(itc).toHaveTextContent("ITCSELL1,2001,600.00₹20,000.00")
  expect(screen.getByText("Back to the model.")).toBeVisible()
})

const known = followUpRow({
  _id: "a",
  lines: [
    {
      place: 0,
      isin: "INE009A01021",
      tradingSymbol: "INFY",
      side: "BUY",
      advisedQuantity: 40,
      filledQuantity: 25,
      status: "PARTIAL",
      statusText: "25 of 40 traded.",
    },
  ],
})

test("what became of each advice and of each order is beside it, known by one call", async () => {
  answer("get", path, [advice("a"), advice("b")], pageOf(2, 20))
  const asked = answer("get", "/admin/follow-up", [known], pageOf(1, 200))
  const { user } = await show(<Shown />)

  const [first, second] = await screen.findAllByRole("row", { name: /20\/11\/2026/ })
  await waitFor(() => expect(first).toHaveTextContent("₹64,000.00In part80.00%SENT"))
  expect(second).toHaveTextContent("₹64,000.00-SENT")
  expect(asked).toHaveLength(1)
  expect(Object.fromEntries(asked[0]!.search)).toMatchObject({
    clientId: "id-1",
    withLines: "true",
  })
  await user.click(screen.getAllByRole("button", { name: /^Show details of the advice/ })[0]!)

  const orders = within(screen.getByRole("region", { name: "Orders of 20/11/2026, table" }))
  expect(await headings(orders)).toContain("Quantity | Status | Traded | Price")
  expect(orders.getByRole("row", { name: /INFY/ })).toHaveTextContent(
    "INFYBUY40In part25 of 40 traded.251,600.00",
  )
  expect(orders.getByRole("row", { name: /ITC/ })).toHaveTextContent("ITCSELL1,200--1,600.00")
})

test("an order opens to its trades, which are fetched then", async () => {
  answer("get", path, [advice("a")], pageOf(1, 20))
  answer("get", "/admin/follow-up", [known], pageOf(1, 200))
  const asked = answer(
    "get",
    "/admin/advice/a/execution",
    execution({ adviceId: "a", lines: [executedLine()] }),
  )
  const { user } = await show(<Shown />)
  await screen.findByText("In part")
  const orders = await opened(user)
  expect(asked).toHaveLength(0)

  await user.click(orders.getByRole("button", { name: "Show details of INFY" }))

  const trades = within(await screen.findByRole("region", { name: "Trades of INFY, table" }))
  expect(trades.getAllByRole("row")[1]).toHaveTextContent(
    "19/11/2026 10:45 IST60251.50Broker75000001",
  )
  expect(asked).toHaveLength(1)
})

test("Use again takes an ADMIN to the form of this client, with the advice", async () => {
  signedIn()
  answer("get", "/admin/clients/client/id-1/profile", clientProfile())
  answer("get", path, [advice("a")], pageOf(1, 20))
  answer("get", "/admin/broker", { isConnected: false, broker: null, connectedUntil: null })
  answer("get", "/brokers", [])
  refuse("get", "/admin/advice/clients/by-code/:code/holdings", 404, "No holdings found.")
  const { user, router } = await showApp("/home/client/advice-history", { role: "ADMIN" })

  await user.click(await screen.findByRole("button", { name: "Use again: advice of 20/11/2026" }))

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/advice"))
  expect(router.state.location.state).toMatchObject({ username: "C0001", adviceId: "a" })
})

test("an advice that could not be delivered says why", async () => {
  const delivery = { status: "FAILED" as const, at: "2026-11-19T20:31:00Z", error: "Mailbox full" }
  answer("get", path, [advice("a", { delivery })], pageOf(1, 20))

  await show(<Shown />)

  expect(await screen.findByText("FAILED")).toBeVisible()
  expect(screen.getByText("Mailbox full")).toBeVisible()
})

test("the server is asked for a page of twenty advices", async () => {
  const calls = answer("get", path, [advice("a")], pageOf(24, 20))
  const { user } = await show(<Shown />)
  await screen.findByText("1–20 of 24")

  await user.click(screen.getByRole("button", { name: "Page 2" }))

  expect(await screen.findByText("21–24 of 24")).toBeVisible()
  const pages = calls.map(({ search }) => [search.get("page"), search.get("limit")])
  expect(pages).toEqual([
    ["1", "20"],
    ["2", "20"],
  ])
})

test("a date range is sent to the server, and the list returns to its first page", async () => {
  const calls = answer("get", path, [advice("a")], pageOf(24, 20))
  const { user } = await show(<Shown />)
  await user.click(await screen.findByRole("button", { name: "Page 2" }))

  await user.fill(await openDates(user), "01-11-2026 – 20-11-2026")
  await user.keyboard("{Enter}")

  await waitFor(() => expect(calls.at(-1)!.search.get("from")).toBe("2026-11-01"))
  expect(calls.at(-1)!.search.get("to")).toBe("2026-11-20")
  expect(await screen.findByText("1–20 of 24")).toBeVisible()
})

test("a filter that finds nothing says so and can be cleared", async () => {
  const calls = answer("get", path, [], pageOf(0, 20))
  const { user } = await show(<Shown />)
  expect(await screen.findByText("No Data Available")).toBeVisible()
  await user.fill(await openDates(user), "01-11-2026 – 20-11-2026")
  await user.keyboard("{Enter}")
  await screen.findByText("No advice was sent on these dates.")

  await user.click(screen.getByRole("button", { name: "Clear filter" }))

  await screen.findByText("Advice sent to this client appears here.")
  expect(calls[1]!.search.get("from")).toBe("2026-11-01")
})

test("loading and failure show their messages", () =>
  expectFetchStates(path, {
    open: () => show(<Shown />),
    data: [],
    more: pageOf(0, 20),
    shows: "No Data Available",
  }))

test("only the date filters, and the shared address holds it", async () => {
  signedIn()
  answer("get", "/admin/clients/client/id-1/profile", clientProfile())
  const calls = answer("get", path, [advice("a")], pageOf(1, 20))
  const address = "/home/client/advice-history?from=2026-11-01&to=2026-11-20"
  const { user, router } = await showApp(address, { role: "USER" })
  await screen.findByText("SENT")
  expect(calls[0]!.search.get("from")).toBe("2026-11-01")

  await user.click(screen.getByRole("button", { name: "Filter" }))
  await screen.findByRole("menuitem", { name: "Date" })
  expect(screen.queryByRole("menuitem", { name: "Status" })).toBeNull()
  await user.keyboard("{Escape}")
  await user.click(screen.getByRole("button", { name: "Clear date filter" }))

  await waitFor(() => expect(calls.at(-1)!.search.has("from")).toBe(false))
  expect(router.state.location.searchStr).toBe("")
})

test("the letter is fetched with the session's token and saved under the client's code and day", async () => {
  sessionStorage.setItem("token", "token-of-the-test")
  answer("get", path, [advice("a")], pageOf(1, 20))
  const requests = answerFile("/admin/advice/a/letter.pdf")
  const saved = watchDownloads()
  const { user } = await show(<Shown />)

  await user.click(await screen.findByRole("button", { name: "Download the letter of 20/11/2026" }))

  await waitFor(() => expect(saved).toEqual(["advice-C0001-2026-11-20.pdf"]))
  expect(requests[0]!.headers.get("Authorization")).toBe("Bearer token-of-the-test")
})

test("a letter that cannot be fetched says why", async () => {
  answer("get", path, [advice("a")], pageOf(1, 20))
  refuse("get", "/admin/advice/a/letter.pdf", 404, "Advice not found")
  const { user } = await show(<Shown />)

  await user.click(await screen.findByRole("button", { name: /Download the letter/ }))

  await waitFor(() => expect(toastMessages()).toEqual(["Advice not found"]))
})
