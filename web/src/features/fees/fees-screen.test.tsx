import { screen, waitFor, within } from "@testing-library/react"
import { expect, test, vi } from "vitest"
import { session } from "@/api/session"
import { clientProfile } from "@/testing/clients"
import { openFees, twoClients } from "@/testing/fee-screens"
import { clientFees, flowsChanged } from "@/testing/fees"
import { answer } from "@/testing/server"

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

  const heads = (await screen.findAllByRole("columnheader")).map((head) => head.textContent)
  expect(heads).toEqual([
    "Client Name",
    "Total Amount",
    "Due Amount",
    "Due Date",
    "Paid Amount",
    "Paid Date",
    "Status",
  ])
  const cells = within(await screen.findByRole("row", { name: /Asha Rao/ })).getAllByRole("cell")
  expect(cells.slice(1).map((cell) => cell.textContent)).toEqual([
    "₹42,000.00",
    "₹12,000.00",
    expect.stringMatching(/^31\/10\/2026/),
    "₹30,000.00",
    "02/08/2026",
    "DUE",
  ])
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
    "Over limit: ₹1,60,000.00 charged to the family in 2026-27, limit ₹1,51,000.00: ₹9,000.00 over",
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
  expect(Object.fromEntries(calls[0]!.search)).toEqual({
    page: "1",
    limit: "5",
    query: "",
    sort: "",
  })

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
  expect(Object.fromEntries(again.calls[0]!.search)).toEqual({
    page: "1",
    limit: "5",
    query: "",
    sort: "",
  })
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

test.each(["click", "Enter"])("a row opens the client's fees by %s", async (way) => {
  const { user, router } = await openFees()
  answer("get", "/admin/clients/client/id-2/profile", clientProfile({ _id: "id-2" }))
  answer("get", "/admin/clients/client/id-2/fees", [])
  const row = await screen.findByRole("row", { name: /Ravi Iyer/ })

  if (way === "click") await user.click(row)
  else {
    row.focus()
    await user.keyboard("{Enter}")
  }

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/client/fees"))
  expect(session.get("clientId")).toBe("id-2")
  expect(session.get("username")).toBe("C0002")
})
