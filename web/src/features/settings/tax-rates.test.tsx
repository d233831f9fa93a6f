import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { expectFetchStates } from "@/testing/fetch-states"
import { answer, answerWith, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { cellsOf } from "@/testing/tables"
import { rateLines } from "@/testing/tax"
import type { TaxRateTable } from "./tax-rate-queries"

const path = "/settings/tax-rates"
const table: TaxRateTable = {
  inForce: rateLines,
  versions: [
    {
      _id: "v2",
      effectiveOn: "2027-04-01",
      source: "Finance Act 2027",
      createdAt: "2026-11-20T06:00:00Z",
      canRemove: true,
      lines: [{ ...rateLines[0]!, value: "22", effectiveOn: "2027-04-01" }],
    },
    {
      _id: null,
      effectiveOn: "2024-07-23",
      source: "Comes with Tarazu",
      createdAt: null,
      canRemove: false,
      lines: rateLines,
    },
  ],
}

beforeEach(() => signedIn())

const open = () => showApp("/home/settings?section=taxRates", { role: "ADMIN" })

test("rates in force are shown in words, with their day and source", async () => {
  answer("get", path, table)
  await open()

  expect(cellsOf(await screen.findByRole("row", { name: /Short-term gains 20/ }))).toBe(
    "Short-term gains | 20.00% | 23/07/2024 | Finance (No. 2) Act 2024",
  )
  expect(screen.getByText("₹1,25,000.00")).toBeVisible()
  expect(screen.getByText("12 months")).toBeVisible()
})

test("a version sends the rates that change, with its day and source", async () => {
  answer("get", path, table)
  const sent = answer("post", path, table.versions[0], { message: "Tax rates saved" })
  const { user } = await open()
  await user.click(await screen.findByRole("button", { name: "Add version" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Add tax rates" }))

  await user.click(dialog.getByRole("button", { name: "Save" }))
  expect(dialog.getByText("Source is required")).toBeVisible()
  expect(dialog.queryByLabelText(/High of the day/)).toBeNull()
  await user.fill(dialog.getByLabelText("Effective from"), "01-04-2027")
  await user.fill(dialog.getByLabelText("Source"), "Finance Act 2027")
  await user.refill(dialog.getByLabelText("Short-term gains"), "22")
  await user.click(dialog.getByRole("button", { name: "Save" }))

  expect(await screen.findByText("Tax rates saved")).toBeVisible()
  expect(sent[0]!.body).toEqual({
    effectiveOn: "2027-04-01",
    source: "Finance Act 2027",
    rates: [{ item: "short_term", value: "22" }],
  })
})

test("what the server refuses is said at its field", async () => {
  answer("get", path, table)
  const words = "The rates of 2025-26 and earlier are kept: statements were made with them."
  refuse("post", path, 422, words, [{ field: "effectiveOn", message: words }])
  const { user } = await open()
  await user.click(await screen.findByRole("button", { name: "Add version" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Add tax rates" }))

  await user.fill(dialog.getByLabelText("Effective from"), "31-03-2026")
  await user.fill(dialog.getByLabelText("Source"), "An act")
  await user.refill(dialog.getByLabelText("Short-term gains"), "22")
  await user.click(dialog.getByRole("button", { name: "Save" }))

  expect(await dialog.findByText(words)).toBeVisible()
})

test("a version is removed after a question; those that came with the product stay", async () => {
  answer("get", path, table)
  const removed = answerWith("delete", `${path}/v2`, { success: true, message: "Removed" })
  const { user } = await open()

  await user.click(await screen.findByRole("button", { name: "Actions for rates from 23/07/2024" }))
  expect(await screen.findByRole("menuitem", { name: "Remove" })).toHaveAttribute(
    "data-disabled",
    "true",
  )
  await user.keyboard("{Escape}")
  await user.choose("Actions for rates from 01/04/2027", "Remove")
  const question = await screen.findByRole("dialog", {
    name: "Remove the rates from 01/04/2027?",
  })
  await user.click(within(question).getByRole("button", { name: "Remove" }))

  await waitFor(() => expect(removed).toHaveLength(1))
})

test("the rates say that they load, and can be loaded again after a failure", () =>
  expectFetchStates(path, { open, data: table, shows: "Short-term gains" }))
