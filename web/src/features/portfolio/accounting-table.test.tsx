import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test, vi } from "vitest"
import { session } from "@/api/session"
import { transaction } from "@/testing/books"
import { answer, breakOff, type Call, hang, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { toastMessages } from "@/testing/toasts"
import { toasts } from "@/ui/overlay/toast"
import { AccountingTable } from "./accounting-table"

const base = "/admin/clients/client/id-1/accounting"
const path = `${base}/transaction`
const flow = transaction()
const other = transaction({
  _id: "flow-2",
  date: "2025-02-03",
  amount: 12_500.5,
  type: "FUNDS_WITHDRAWN",
  version: 4,
})

const showTable = async (flows = [flow, other], startedFrom: string | null = null) => {
  const calls = answer("get", base, flows)
  const shown = await show(
    <AccountingTable clientId="id-1" startedFrom={startedFrom} onImport={vi.fn()} />,
  )
  return { calls, ...shown }
}
type User = Awaited<ReturnType<typeof showTable>>["user"]

const button = (name: string) => screen.getByRole("button", { name })
const dateOf = (row: string) => screen.getByLabelText(`Date of ${row}`)
const amountOf = (row: string) => screen.getByLabelText(`Amount of ${row}`)
const typeOf = (row: string) => screen.getByLabelText(`Cashflow type of ${row}`)
const bodies = (calls: Call[]) => calls.map((call) => call.body)
const rows = () =>
  within(screen.getByRole("table"))
    .getAllByRole("row")
    .slice(1)
    .map((row) => row.textContent)

async function fill(user: User, row: string, [day, amount, kind]: [string, string, string]) {
  await user.refill(dateOf(row), day)
  await user.refill(amountOf(row), amount)
  await user.selectOptions(typeOf(row), kind)
}

async function addRow(user: User) {
  await screen.findByRole("table")
  await user.click(button("Add Row"))
  await screen.findByLabelText("Date of new transaction")
}

async function editFirst(user: User) {
  await user.click(await screen.findByRole("button", { name: "Edit transaction of 02/03/2026" }))
}

beforeEach(() => session.start("token", "ADMIN"))

test("transactions are listed newest first with the specification's labels and their total", async () => {
  await showTable()

  await screen.findByRole("table")
  expect(rows()).toEqual([
    "02/03/2026₹50,000.00Fund Added",
    "03/02/2025₹12,500.50Fund Withdrawl",
    "Total+₹37,499.50Net added",
  ])
})

test("a flow before the start is marked", async () => {
  await showTable([flow, other], "2026-01-05")

  expect(await screen.findByRole("row", { name: /03\/02\/2025/ })).toHaveTextContent("Not counted")
  expect(screen.getByRole("row", { name: /02\/03\/2026/ })).not.toHaveTextContent("Not counted")
})

test("a row is added, and the list is refreshed", async () => {
  const { user, calls } = await showTable()
  const sent = answer("post", path, flow)
  await addRow(user)

  await fill(user, "new transaction", ["2026-05-04", "125000.5", "Fund Added"])
  await user.click(button("Save"))

  await waitFor(() => expect(screen.queryByLabelText("Date of new transaction")).toBeNull())
  expect(bodies(sent)).toEqual([{ date: "2026-05-04", amount: 125_000.5, type: "FUNDS_ADDED" }])
  expect(sent[0]!.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/)
  await waitFor(() => expect(calls.length).toBe(2))
  await waitFor(() => expect(button("Add Row")).toHaveFocus())
})

test("a missing or wrong value shows the message at its field, and the first one has the focus", async () => {
  const { user } = await showTable()
  await addRow(user)

  await user.click(button("Save"))

  for (const words of [
    "Please select a valid date",
    "Please enter a valid amount",
    "Please select cashflow type",
  ])
    expect(screen.getByText(words)).toBeVisible()
  await waitFor(() => expect(dateOf("new transaction")).toHaveFocus())

  await fill(user, "new transaction", ["2999-01-01", "1", "Fund Withdrawl"])
  expect(screen.queryByText("Please enter a valid amount")).toBeNull()
  await user.click(button("Save"))
  expect(screen.getByText("Please select a valid date")).toBeVisible()
  await fill(user, "new transaction", ["2026-03-02", "0", "Fund Added"])
  await user.click(button("Save"))
  expect(screen.getByText("Please enter a valid amount")).toBeVisible()
  expect(toastMessages()).toEqual([])
})

test("Enter saves a row and Escape cancels it", async () => {
  const { user } = await showTable()
  const sent = answer("put", path, flow)
  await editFirst(user)
  const name = "transaction of 02/03/2026"
  expect(dateOf(name)).toHaveFocus()

  await user.clear(amountOf(name))
  await user.type(amountOf(name), "7{Escape}")
  expect(await screen.findByRole("row", { name: /02\/03\/2026 ₹50,000.00/ })).toBeVisible()
  await waitFor(() => expect(button(`Edit ${name}`)).toHaveFocus())

  await editFirst(user)
  await user.clear(amountOf(name))
  await user.type(amountOf(name), "8{Enter}")
  await waitFor(() => expect(screen.queryByLabelText(`Amount of ${name}`)).toBeNull())
  expect(bodies(sent)).toEqual([
    { date: "2026-03-02", amount: 8, type: "FUNDS_ADDED", transactionId: "flow-1", version: 1 },
  ])
})

test("a cancelled new row is only removed from the screen", async () => {
  const { user } = await showTable()
  await addRow(user)

  await user.click(button("Cancel new transaction"))

  expect(screen.queryByLabelText("Date of new transaction")).toBeNull()
  expect(rows()).toHaveLength(3)
})

test("a second save of a row is ignored while one runs", async () => {
  const { user } = await showTable()
  const sent = hang("put", path)
  await editFirst(user)

  await user.type(amountOf("transaction of 02/03/2026"), "{Enter}{Enter}")

  await waitFor(() => expect(sent.length).toBe(1))
  expect(amountOf("transaction of 02/03/2026")).toBeDisabled()
  await new Promise((later) => setTimeout(later, 50))
  expect(sent.length).toBe(1)
})

test("a failed save returns the row to edit mode with the server's message", async () => {
  const { user } = await showTable()
  const sent = refuse("post", path, 422, "Please enter a valid amount")
  await addRow(user)
  await fill(user, "new transaction", ["2026-05-04", "5", "Fund Added"])

  await user.click(button("Save"))
  await waitFor(() => expect(toastMessages()).toEqual(["Please enter a valid amount"]))
  expect(amountOf("new transaction")).toHaveValue("₹5")
  expect(amountOf("new transaction")).toBeEnabled()

  await user.click(button("Save"))
  await waitFor(() => expect(sent.length).toBe(2))
  const [first, again] = sent.map((call) => call.headers.get("Idempotency-Key"))
  expect(again).toBe(first)
})

test("a save without a connection shows the specification's message", async () => {
  const { user } = await showTable()
  breakOff("put", path)
  await editFirst(user)

  await user.click(button("Save"))

  await waitFor(() => expect(toastMessages()).toEqual(["Error while saving"]))
  expect(amountOf("transaction of 02/03/2026")).toBeEnabled()
})

test("a conflict keeps what was typed, and saving again overwrites the newest state", async () => {
  const { user } = await showTable()
  const words = "This record was changed by someone else. Reload and try again."
  const refused = refuse("put", path, 409, words)
  await editFirst(user)
  const name = "transaction of 02/03/2026"
  await user.clear(amountOf(name))
  await user.type(amountOf(name), "999")
  const fetched = answer("get", base, [{ ...flow, amount: 1, version: 7 }, other])

  await user.click(button("Save"))
  await waitFor(() => expect(toastMessages()).toEqual([words]))
  await waitFor(() => expect(fetched.length).toBe(1))
  expect(toasts.get()[0]!.detail).toBe(
    "Someone changed it to Fund Added of ₹1.00 on 02/03/2026. Save again to overwrite.",
  )
  expect(amountOf(name)).toHaveValue("₹999")
  expect(refused).toHaveLength(1)

  const taken = answer("put", path, flow)
  await user.click(button("Save"))
  await waitFor(() => expect(bodies(taken)).toEqual([expect.objectContaining({ version: 7 })]))
})

test("a row that somebody else deleted leaves the table", async () => {
  const { user } = await showTable()
  refuse("put", path, 404, "Transaction not found")
  await editFirst(user)
  answer("get", base, [other])

  await user.click(button("Save"))

  await waitFor(() => expect(toastMessages()).toEqual(["Transaction not found"]))
  await waitFor(() => expect(screen.queryByRole("row", { name: /02\/03\/2026/ })).toBeNull())
})
