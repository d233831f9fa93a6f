import { screen, waitFor, within } from "@testing-library/react"
import type { UserEvent } from "@testing-library/user-event"
import { beforeEach, expect, test } from "vitest"
import { dashedDate, today } from "@/lib/dates"
import { chooseAsha, feeField, feesPath, openClientFees, pencil } from "@/testing/fee-screens"
import { fee, openFee } from "@/testing/fees"
import { answer, answerWith, breakOff, refuse } from "@/testing/server"
import { dataRows } from "@/testing/tables"
import { toastMessages } from "@/testing/toasts"

const conflict = "This record was changed by someone else. Reload and try again."

beforeEach(chooseAsha)

test("the pencil opens due date, final date, status and paid date; paid means today", async () => {
  const sent = answer("put", feesPath, fee({ status: "PAID" }))
  const { user } = await openClientFees()
  await user.click(await pencil())

  expect(feeField("Due Date")).toHaveValue("30-04-2026")
  expect(feeField("Final Date")).toHaveValue("31-03-2026")
  expect(feeField("Paid Date")).toBeDisabled()
  expect(screen.queryByLabelText("Starting Date")).toBeNull()
  expect(screen.queryByLabelText("Final Value")).toBeNull()

  await user.selectOptions(feeField("Status"), "PAID")
  expect(feeField("Paid Date")).toHaveValue(dashedDate(today()))
  await user.refill(feeField("Paid Date"), "2026-05-02")
  await user.click(screen.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(screen.queryByLabelText("Due Date")).toBeNull())
  expect(sent.map((call) => call.body)).toEqual([
    {
      feeId: "fee-1",
      version: 1,
      dueDate: "2026-04-30",
      finalDate: "2026-03-31",
      status: "PAID",
      paidDate: "2026-05-02",
      modeOfPayment: null,
      reference: "",
    },
  ])
})

test("a fee set back to due has no paid date", async () => {
  const sent = answer("put", feesPath, fee())
  const { user } = await openClientFees([fee({ status: "PAID", paidDate: "2026-05-02" })])
  await user.click(await pencil())
  expect(feeField("Final Date")).toBeDisabled()

  await user.selectOptions(feeField("Status"), "DUE")
  await user.click(screen.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]!.body).toMatchObject({ status: "DUE", paidDate: null })
})

test("an open period is closed with its final value", async () => {
  const sent = answer("put", feesPath, openFee())
  const { user } = await openClientFees([openFee()])
  await user.click(await screen.findByRole("button", { name: "Edit fee of 01/04/2026" }))
  expect(feeField("Status")).toBeDisabled()

  await user.fill(feeField("Final Date"), "2026-09-30")
  await user.fill(feeField("Final Value"), "1100000")
  await user.click(screen.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]!.body).toMatchObject({
    finalDate: "2026-09-30",
    dueDate: "2026-09-30",
    finalValue: 1_100_000,
    status: "DUE",
  })
})

test("Escape gives up the edits of a row", async () => {
  const { user } = await openClientFees()
  await user.click(await pencil())

  await user.refill(feeField("Due Date"), "2026-06-30")
  await user.keyboard("{Escape}")

  expect(dataRows()[0]).toHaveTextContent("30/04/2026")
  expect(await pencil()).toBeVisible()
})

test("a row that somebody else changed is refreshed, with the reason", async () => {
  answerWith("put", feesPath, { success: false, message: conflict, code: "stale_version" }, 409)
  const { user, calls } = await openClientFees()
  await user.click(await pencil())

  await user.click(screen.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(toastMessages()).toContain(conflict))
  await waitFor(() => expect(screen.queryByLabelText("Due Date")).toBeNull())
  expect(calls.length).toBeGreaterThan(1)
})

test("a refused edit says why and stays open", async () => {
  const message = "A paid fee keeps its period. Set it to DUE first."
  answerWith("put", feesPath, { success: false, message, code: "fee_is_paid" }, 409)
  const { user } = await openClientFees()
  await user.click(await pencil())

  await user.click(screen.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(toastMessages()).toContain(message))
  expect(feeField("Due Date")).toBeVisible()
})

async function deleteFirst(user: UserEvent, button: string) {
  await user.click(screen.getByRole("button", { name: "Delete fee of 01/04/2025" }))
  const dialog = await screen.findByRole("dialog", { name: "Delete this fee?" })
  await user.click(within(dialog).getByRole("button", { name: button }))
}

test("a fee is deleted after a question", async () => {
  const sent = answerWith("post", `${feesPath}/delete`, { success: true, message: "" })
  const { user } = await openClientFees()

  await deleteFirst(user, "Cancel")
  expect(sent).toEqual([])
  await deleteFirst(user, "OK")

  await waitFor(() => expect(toastMessages()).toContain("Fee transaction deleted successfully"))
  expect(sent.map((call) => call.body)).toEqual([{ feeId: "fee-1", version: 1 }])
})

const deletion = `${feesPath}/delete`

test.each([
  [
    "fails",
    () => refuse("post", deletion, 500, "Something went wrong"),
    "Some error occurred while deleting",
  ],
  [
    "is too late",
    () => refuse("post", deletion, 404, "Record not found"),
    "Some error occurred while deleting",
  ],
  ["conflicts", () => refuse("post", deletion, 409, conflict), conflict],
  ["reaches nothing", () => breakOff("post", deletion), "Some error occurred while deleting"],
])("a deletion that %s says so", async (_, fail, shown) => {
  fail()
  const { user } = await openClientFees()

  await deleteFirst(user, "OK")

  await waitFor(() => expect(toastMessages()).toEqual([shown]))
})
