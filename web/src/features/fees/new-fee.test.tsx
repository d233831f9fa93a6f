import { screen, waitFor } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import {
  chooseAsha,
  clientPath,
  feeField,
  feesPath,
  fillNewRow,
  openClientFees,
  openNewRow,
} from "@/testing/fee-screens"
import { fee } from "@/testing/fees"
import { answer, answerLater, answerWith, breakOff, refuse } from "@/testing/server"
import { dataRows } from "@/testing/tables"
import { toastMessages } from "@/testing/toasts"

beforeEach(chooseAsha)

test("a new row says so, starts from the server's value and suggests a tenth more", async () => {
  await openNewRow()

  expect(toastMessages()).toEqual(["New row added. Please fill the details."])
  await waitFor(() => expect(feeField("Starting Value")).toHaveValue("₹11,50,000"))
  expect(feeField("Final Value")).toHaveAttribute("placeholder", "₹12,65,000.00")
  expect(feeField("Starting Date")).toHaveFocus()
  expect(dataRows()).toHaveLength(2)
  for (const name of ["Starting Date", "Due Date", "Final Date", "Starting Value", "Final Value"])
    expect(feeField(name)).toBeEnabled()
  expect(screen.queryByLabelText("Status")).toBeNull()
  expect(screen.queryByLabelText("Paid Date")).toBeNull()
})

test("a starting value that cannot be fetched says so, and the row stays", async () => {
  await openNewRow(null)

  await waitFor(() => expect(toastMessages()).toContain("Failed to fetch starting value"))
  expect(feeField("Starting Value")).toHaveValue("")
})

test("the starting value follows the starting date, until it is typed", async () => {
  const { user } = await openNewRow()
  await waitFor(() => expect(feeField("Starting Value")).toHaveValue("₹11,50,000"))
  const calls = answer("get", `${clientPath}/starting-value`, 1_200_000)

  await user.fill(feeField("Starting Date"), "2026-04-01")
  await waitFor(() => expect(feeField("Starting Value")).toHaveValue("₹12,00,000"))
  await user.fill(feeField("Starting Value"), "900000")
  answer("get", `${clientPath}/starting-value`, 1_300_000)
  await user.fill(feeField("Starting Date"), "2026-05-01")

  expect(calls.at(-1)?.search.get("startingDate")).toBe("2026-04-01")
  expect(feeField("Starting Value")).toHaveValue("₹9,00,000")
})

test("a starting value that was typed meanwhile stays", async () => {
  const { calls, answerNow } = answerLater("get", `${clientPath}/starting-value`, 1_150_000)
  const { user } = await openClientFees()
  await user.click(screen.getByRole("button", { name: "Add Row" }))
  await user.type(feeField("Starting Value"), "5")
  await waitFor(() => expect(calls).toHaveLength(1))

  answerNow()
  await new Promise((resolve) => setTimeout(resolve, 50))

  expect(feeField("Starting Value")).toHaveValue("₹5")
})

test("what a new row needs is asked for, and nothing is sent", async () => {
  const sent = answer("post", feesPath, fee())
  const { user } = await openNewRow()
  await waitFor(() => expect(feeField("Starting Value")).not.toHaveValue(""))

  await user.click(screen.getByRole("button", { name: "Save" }))

  expect(toastMessages()).toContain("Please fill all required fields.")
  expect(feeField("Starting Date")).toHaveAttribute("aria-invalid", "true")
  expect(feeField("Final Value")).toHaveAttribute("aria-invalid", "true")
  expect(feeField("Starting Value")).not.toHaveAttribute("aria-invalid", "true")
  await waitFor(() => expect(feeField("Starting Date")).toHaveFocus())
  expect(sent).toEqual([])
})

test("a final date fills an empty due date", async () => {
  const { user } = await openNewRow()

  await user.fill(feeField("Final Date"), "2026-09-30")
  expect(feeField("Due Date")).toHaveValue("30-09-2026")

  await user.refill(feeField("Final Date"), "2026-10-31")
  expect(feeField("Due Date")).toHaveValue("30-09-2026")
})

test.each(["Save", "Enter"])("%s creates the row, once", async (way) => {
  const sent = answer("post", feesPath, fee())
  const { user, calls } = await openNewRow()
  await waitFor(() => expect(feeField("Starting Value")).not.toHaveValue(""))
  await fillNewRow(user)

  if (way === "Enter") await user.keyboard("{Enter}")
  else await user.dblClick(screen.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(screen.queryByLabelText("Starting Date")).toBeNull())
  expect(sent.map((call) => call.body)).toEqual([
    {
      startingDate: "2026-04-01",
      dueDate: "2026-09-30",
      finalDate: "2026-09-30",
      startingValue: 1_150_000,
      finalValue: 1_250_000.5,
    },
  ])
  expect(sent[0]!.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/)
  expect(calls.length).toBeGreaterThan(1)
})

test.each([
  [
    "the server's words",
    () => refuse("post", feesPath, 422, "The final date is wrong."),
    "The final date is wrong.",
  ],
  ["no connection", () => breakOff("post", feesPath), "Error saving fee data"],
  [
    "no words",
    () => answerWith("post", feesPath, { success: false }, 500),
    "Error saving fee data",
  ],
])("a save that fails says so (%s), and keeps what was typed", async (_, fail, message) => {
  const sent = fail()
  const { user } = await openNewRow()
  await waitFor(() => expect(feeField("Starting Value")).not.toHaveValue(""))
  await fillNewRow(user)

  await user.click(screen.getByRole("button", { name: "Save" }))
  await waitFor(() => expect(toastMessages()).toContain(message))
  expect(feeField("Final Value")).toHaveValue("₹12,50,000.50")

  // The same row sent again is the same act.
  await user.click(screen.getByRole("button", { name: "Save" }))
  if (sent.length > 0) {
    await waitFor(() => expect(sent).toHaveLength(2))
    expect(sent[1]!.headers.get("Idempotency-Key")).toBe(sent[0]!.headers.get("Idempotency-Key"))
  }
})

test("an unsaved row is only removed here", async () => {
  const { user } = await openNewRow()

  await user.click(screen.getByRole("button", { name: "Delete new row" }))

  expect(toastMessages()).toContain("New row deleted successfully")
  expect(screen.queryByLabelText("Starting Date")).toBeNull()
  expect(screen.queryByRole("dialog")).toBeNull()
})
