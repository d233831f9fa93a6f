import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test, vi } from "vitest"
import { session } from "@/api/session"
import { transaction } from "@/testing/books"
import { answer, breakOff, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { toastMessages } from "@/testing/toasts"
import { toasts } from "@/ui/overlay/toast"
import { AccountingTable } from "./accounting-table"

const base = "/admin/clients/client/id-1/accounting"
const path = `${base}/transaction`
const flow = transaction()

const showTable = async () => {
  answer("get", base, [flow])
  return show(<AccountingTable clientId="id-1" startedFrom={null} onImport={vi.fn()} />)
}
type User = Awaited<ReturnType<typeof showTable>>["user"]

beforeEach(() => session.start("token", "ADMIN"))

async function removeFirst(user: User) {
  await user.click(await screen.findByRole("button", { name: "Delete transaction of 02/03/2026" }))
  const dialog = await screen.findByRole("dialog", { name: "Delete this transaction?" })
  expect(dialog).toHaveTextContent(
    "Fund Added of ₹50,000.00 on 02/03/2026 will be removed from all totals.",
  )
  return dialog
}

test("a transaction is deleted after a confirmation, and an administrator can undo it", async () => {
  const { user } = await showTable()
  const deleted = answer("post", `${path}/delete`, null, { message: "Transaction deleted" })
  const restored = answer("post", "/admin/transactions/flow-1/restore", flow)

  await user.click(within(await removeFirst(user)).getByRole("button", { name: "Cancel" }))
  await user.click(within(await removeFirst(user)).getByRole("button", { name: "Delete" }))

  await waitFor(() =>
    expect(deleted.map((call) => call.body)).toEqual([{ transactionId: "flow-1", version: 1 }]),
  )
  await waitFor(() => expect(toastMessages()).toEqual(["Transaction deleted"]))
  toasts.get()[0]!.undo?.()
  await waitFor(() => expect(restored.length).toBe(1))
})

test("a USER is not offered what only an administrator may do", async () => {
  session.start("token", "USER")
  const { user } = await showTable()
  answer("post", `${path}/delete`, null, { message: "Transaction deleted" })

  await user.click(within(await removeFirst(user)).getByRole("button", { name: "Delete" }))

  await waitFor(() => expect(toastMessages()).toEqual(["Transaction deleted"]))
  expect(toasts.get()[0]!.undo).toBeUndefined()
})

test("a refused deletion and a failed one show different messages", async () => {
  const { user } = await showTable()
  refuse("post", `${path}/delete`, 409, "This record was changed by someone else.")
  await user.click(within(await removeFirst(user)).getByRole("button", { name: "Delete" }))
  await waitFor(() => expect(toastMessages()).toEqual(["Failed to delete transaction"]))
  expect(toasts.get()[0]!.detail).toBe("This record was changed by someone else.")

  toasts.set([])
  breakOff("post", `${path}/delete`)
  await user.click(within(await removeFirst(user)).getByRole("button", { name: "Delete" }))
  await waitFor(() => expect(toastMessages()).toEqual(["Some error occurred while deleting"]))
})
