import { screen, waitFor, within } from "@testing-library/react"
import { expect, test, vi } from "vitest"
import { transaction } from "@/testing/books"
import { expectFetchStates } from "@/testing/fetch-states"
import { setScreenWidth } from "@/testing/screen-width"
import { answer } from "@/testing/server"
import { show } from "@/testing/show"
import { AccountingTable } from "./accounting-table"

const base = "/admin/clients/client/id-1/accounting"
const flow = transaction()

const accounting = (onImport = vi.fn()) => (
  <AccountingTable clientId="id-1" startedFrom={null} onImport={onImport} />
)
const showTable = async (flows = [flow]) => {
  answer("get", base, flows)
  return show(accounting())
}

const button = (name: string) => screen.getByRole("button", { name })

test("without transactions the table says so and offers a row", async () => {
  const { user } = await showTable([])
  expect(await screen.findByText("No Data Available")).toBeVisible()

  await user.click(screen.getAllByRole("button", { name: "Add Row" }).at(-1)!)

  expect(await screen.findByLabelText("Date of new transaction")).toHaveFocus()
})

test("loading and failure show their messages, and no row can be added until then", () =>
  expectFetchStates(base, {
    open: async () => {
      const shown = await show(accounting())
      expect(button("Add Row")).toBeDisabled()
      return shown
    },
    failure: "Failed to fetch client data",
    data: [flow],
    shows: "02/03/2026",
  }))

const many = (length: number) =>
  Array.from({ length }, (_, n) =>
    transaction({
      _id: `flow-${n}`,
      amount: 1000 + n,
      date: `2026-01-${n < 9 ? "0" : ""}${n + 1}`,
    }),
  ).toReversed()

test("many transactions are paged, and the total is of them all", async () => {
  const { user } = await showTable(many(25))
  await screen.findByText("1–20 of 25")
  expect(screen.getAllByRole("button", { name: /^Edit transaction/ })).toHaveLength(20)
  expect(screen.getByRole("row", { name: /^Total/ })).toHaveTextContent("+₹25,300.00")

  await user.click(button("Next page"))

  expect(screen.getByText("21–25 of 25")).toBeVisible()
  expect(screen.getAllByRole("button", { name: /^Edit transaction/ })).toHaveLength(5)
})

test("a saved row is shown, whatever page it is on", async () => {
  const flows = many(25)
  const { user } = await showTable(flows)
  await user.click(await screen.findByRole("button", { name: "Edit transaction of 25/01/2026" }))
  const moved = { ...flows[0]!, date: "2025-12-31", version: 2 }
  answer("put", `${base}/transaction`, moved)
  answer("get", base, [...flows.slice(1), moved])

  await user.click(button("Save"))

  expect(await screen.findByText("21–25 of 25")).toBeVisible()
  expect(screen.getByRole("row", { name: /31\/12\/2025 ₹1,024.00/ })).toBeVisible()
  await waitFor(() => expect(button("Edit transaction of 31/12/2025")).toHaveFocus())
})

test("the import of funds can be opened", async () => {
  answer("get", base, [flow])
  const onImport = vi.fn()
  const { user } = await show(accounting(onImport))

  await user.click(button("Import funds"))

  expect(onImport).toHaveBeenCalledOnce()
})

test("on a phone rows are cards, and a row being edited is a form", async () => {
  setScreenWidth(390)
  const { user } = await showTable()
  const list = await screen.findByRole("list", { name: "Accounting" })
  expect(within(list).getAllByRole("listitem")[0]).toHaveTextContent(
    "Fund Added02/03/2026₹50,000.00",
  )

  await user.click(screen.getByRole("button", { name: "Edit transaction of 02/03/2026" }))

  const form = within(list).getAllByRole("listitem")[0]!
  for (const label of ["Date", "Amount", "Cashflow Type"])
    expect(within(form).getByText(label)).toBeVisible()
  expect(within(form).getByRole("button", { name: "Save" })).toBeVisible()
})
