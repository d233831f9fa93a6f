import { screen, waitFor } from "@testing-library/react"
import { expect, test, vi } from "vitest"
import { session } from "@/api/session"
import { clientProfile, pageOf } from "@/testing/clients"
import { chooseAsha, feeStats, openClientFees, openFees, twoClients } from "@/testing/fee-screens"
import { clientFees, flowsChanged } from "@/testing/fees"
import { setScreenWidth } from "@/testing/screen-width"
import { answer, breakOff, hang, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { headings, pageSizes } from "@/testing/tables"

const unfiltered = { page: "1", limit: "5", query: "", sort: "" }
const card = (name: string) => screen.getByRole("group", { name })

test("the cards of the specification", async () => {
  await openFees()

  expect(await screen.findByRole("heading", { level: 1, name: "Fees" })).toBeVisible()
  await waitFor(() => expect(card("Total Fees")).toHaveTextContent("₹14.65 L₹14,64,596.00"))
  expect(card("Total Paid Fees")).toHaveTextContent("₹14,47,287.2298.82% of all fees")
  expect(card("Total Due Fees")).toHaveTextContent("₹17,308.781.18% of all fees")
})

test("a client's row has the columns of the specification", async () => {
  await openFees()

  expect(await headings()).toBe(
    "Client Name | Total Amount | Due Amount | Due Date | Paid Amount | Paid Date | Status",
  )
  const first = await screen.findByRole("row", { name: /Asha Rao/ })
  expect(first).toHaveTextContent(/₹42,000\.00₹12,000\.0031\/10\/2026.*₹30,000\.0002\/08\/2026DUE$/)
  const second = screen.getByRole("row", { name: /Ravi Iyer/ })
  expect(second).toHaveTextContent("₹1,60,000.00₹0.00-₹1,60,000.0030/05/2026PAID")
})

test("a due date that is past is marked as overdue", async () => {
  vi.useFakeTimers({ now: new Date("2026-11-21T06:00:00Z"), shouldAdvanceTime: true })
  await openFees("", [clientFees(), clientFees({ _id: "id-3", dueDate: "2026-11-21" })])

  const rows = (await screen.findAllByRole("row", { name: /Asha Rao/ })).map(
    (row) => row.textContent,
  )
  expect(rows[0]).toContain("31/10/2026, overdue")
  expect(rows[1]).toContain("21/11/2026₹")
  vi.useRealTimers()
})

test("a family past the yearly limit is marked, with the arithmetic", async () => {
  await openFees()

  const row = await screen.findByRole("row", { name: /Ravi Iyer/ })
  expect(row).toHaveTextContent(
    "Over limit: Family fees from 1 Apr 2026 to 31 Mar 2027: ₹1,00,000.00 + this fee ₹60,000.00 = " +
      "₹1,60,000.00, limit ₹1,51,000.00: ₹9,000.00 over",
  )
  expect(screen.getByRole("row", { name: /Asha Rao/ })).not.toHaveTextContent("Over limit")
})

test("a client whose cash flows changed after a fee is marked, with the fee that would now result", async () => {
  await openFees("", [clientFees({ flowsChanged: [flowsChanged] })])

  expect(await screen.findByRole("row", { name: /Asha Rao/ })).toHaveTextContent(
    "Cash flows changed after this fee: Period from 01/04/2025: Cash flows changed after this fee. " +
      "Fee ₹30,000.00, now ₹10,000.00.",
  )
})

test("a page has five rows, and the address holds what differs from the defaults", async () => {
  const { calls, user, router } = await openFees("", twoClients, 35)
  await screen.findByText("1–5 of 35")
  expect(await pageSizes()).toBe("5, 10, 20, 50")
  expect(Object.fromEntries(calls[0]!.search)).toEqual(unfiltered)

  await user.click(screen.getByRole("button", { name: "Page 2" }))
  await screen.findByText("6–10 of 35")
  expect(router.state.location.search).toMatchObject({ page: 2 })
  await user.selectOptions(screen.getByLabelText("Rows on a page"), "20")

  await screen.findByText("1–20 of 35")
  expect(calls.at(-1)!.search.get("limit")).toBe("20")
  expect(calls.at(-1)!.search.get("page")).toBe("1")
})

test("a shared address restores the view, and what makes no sense in it is left out", async () => {
  const { calls, unmount } = await openFees(
    "?page=2&limit=10&query=rao&sort=-totalDue&from=2026-06-01&to=2026-06-30",
    twoClients,
    15,
  )
  await screen.findByText("11–15 of 15")
  expect(Object.fromEntries(calls[0]!.search)).toEqual({
    page: "2",
    limit: "10",
    query: "rao",
    sort: "-totalDue",
    from: "2026-06-01",
    to: "2026-06-30",
  })
  expect(screen.getByLabelText("Search by name")).toHaveValue("rao")
  expect(screen.getByLabelText("Payment History")).toHaveValue("01-06-2026 – 30-06-2026")
  unmount()

  const again = await openFees("?page=-2&limit=9999&from=2026-06-30&to=2026-06-01")
  await screen.findByText("Asha Rao")
  expect(Object.fromEntries(again.calls[0]!.search)).toEqual(unfiltered)
})

test("a name is searched, and the first page is shown again", async () => {
  const { calls, user } = await openFees("?page=2", twoClients, 35)
  await screen.findByText("6–10 of 35")

  await user.fill(screen.getByLabelText("Search by name"), "ravi")

  await waitFor(() => expect(calls.at(-1)!.search.get("query")).toBe("ravi"))
  expect(calls.at(-1)!.search.get("page")).toBe("1")
})

test("the payment history is asked of the server, and can be cleared", async () => {
  const { calls, user } = await openFees("?page=2", twoClients, 35)
  await screen.findByText("6–10 of 35")

  await user.fill(screen.getByLabelText("Payment History"), "01-06-2026 – 30-06-2026")
  await user.keyboard("{Enter}")
  await waitFor(() => expect(calls.at(-1)!.search.get("from")).toBe("2026-06-01"))
  expect(calls.at(-1)!.search.get("to")).toBe("2026-06-30")
  expect(calls.at(-1)!.search.get("page")).toBe("1")

  await user.click(screen.getByRole("button", { name: "Clear filter" }))
  await waitFor(() => expect(calls.at(-1)!.search.has("from")).toBe(false))
})

test("a head sorts, numbers largest first", async () => {
  const { calls, user } = await openFees()
  await screen.findByText("Asha Rao")

  await user.click(screen.getByRole("button", { name: "Due Amount" }))

  await waitFor(() => expect(calls.at(-1)!.search.get("sort")).toBe("-totalDue"))
  expect(screen.getByRole("columnheader", { name: "Due Amount" })).toHaveAttribute(
    "aria-sort",
    "descending",
  )
})

test("a row opens the client's fees", async () => {
  const { user, router } = await openFees()
  answer("get", "/admin/clients/client/id-2/profile", clientProfile({ _id: "id-2" }))
  answer("get", "/admin/clients/client/id-2/fees", [])

  await user.click(await screen.findByRole("row", { name: /Ravi Iyer/ }))

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/client/fees"))
  expect(session.get("clientId")).toBe("id-2")
  expect(session.get("username")).toBe("C0002")
})

test("a firm without fees sees where to add them", async () => {
  await openFees("", [])

  expect(await screen.findByText("No Data Available")).toBeVisible()
  expect(screen.getByText("Fees are added in a client's Fees tab.")).toBeVisible()
  expect(screen.getByRole("button", { name: "Choose a client" })).toBeVisible()
})

test("filters that find nothing say so and can be cleared", async () => {
  const { calls, user } = await openFees("?query=zz&from=2026-06-01&to=2026-06-30", [])

  expect(await screen.findByText("No client with fees matches “zz” in these days.")).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Clear filters" }))

  await waitFor(() => expect(calls.at(-1)!.search.get("query")).toBe(""))
  expect(calls.at(-1)!.search.has("from")).toBe(false)
})

test("G F goes to the fees", async () => {
  chooseAsha()
  const { user, router } = await openClientFees()
  answer("get", "/fees/stats", feeStats)
  answer("get", "/fees", twoClients, pageOf(2, 5))

  await user.keyboard("gf")

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/fees"))
})

test("on a phone a row is a card, and the limit's arithmetic opens with a tap", async () => {
  setScreenWidth(390)
  const { user } = await openFees()

  expect(await screen.findByText("Ravi Iyer")).toBeVisible()
  expect(screen.queryByRole("table")).toBeNull()
  await user.click(screen.getByRole("button", { name: "Show details of Ravi Iyer" }))

  const details = screen.getByText("Yearly limit").closest("div")!
  expect(details).toHaveTextContent("₹9,000.00 over")
})

test("while the fees load, the screen says so", async () => {
  signedIn("USER")
  hang("get", "/fees/stats")
  hang("get", "/fees")

  await showApp("/home/fees", { role: "USER" })

  expect(await screen.findByText("Fetching data...")).toBeInTheDocument()
  expect(card("Total Fees")).toBeVisible()
})

test("what fails to load says so, each in its place", async () => {
  signedIn("USER")
  refuse("get", "/fees/stats", 500, "Something went wrong")
  breakOff("get", "/fees")

  await showApp("/home/fees", { role: "USER" })

  await waitFor(() => expect(screen.getAllByText("Failed to fetch data")).toHaveLength(2))
  expect(screen.getAllByRole("button", { name: "Retry" })).toHaveLength(2)
})

test("only overdue fees are listed on demand", async () => {
  const { user, calls } = await openFees()

  await user.click(await screen.findByRole("button", { name: "Overdue" }))

  await waitFor(() => expect(calls.at(-1)?.search.get("due")).toBe("OVERDUE"))
  await user.click(screen.getByRole("button", { name: "All" }))
  await waitFor(() => expect(calls.at(-1)?.search.has("due")).toBe(false))
})
