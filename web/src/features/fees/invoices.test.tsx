import { screen, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { pageOf } from "@/testing/clients"
import { chooseAsha, clientPath, feesPath, openClientFees } from "@/testing/fee-screens"
import { fee } from "@/testing/fees"
import { answer, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"

const invoice = {
  _id: "inv-1",
  number: "INV/26-27/0001",
  issuedOn: "2026-04-10",
  value: 120_000,
  total: 141_600,
  credited: 0,
  left: 120_000,
  creditNotes: [],
}
const paid = fee({
  status: "PAID",
  paidDate: "2026-04-10",
  fees: 120_000,
  modeOfPayment: "UPI",
  reference: "412",
  invoice,
})

/** Opens Asha's fees in a firm that issues invoices. */
async function openInvoiced(fees = [paid]) {
  chooseAsha()
  answer("get", "/admin/invoices/options", { isOn: true, hasGstin: true, defaultMode: null })
  answer("get", "/admin/invoices/states", [{ code: "27", name: "Maharashtra" }])
  answer("get", `${clientPath}/billing`, { stateCode: "", gstin: "", version: 0 })
  return openClientFees(fees)
}

test("a paid fee shows its invoice, mode and reference; an unknown state is said", async () => {
  await openInvoiced()

  expect(await screen.findByRole("button", { name: "INV/26-27/0001" })).toBeVisible()
  expect(screen.getByText("UPI · 412")).toBeVisible()
  expect(await screen.findByText(/The state is not known/)).toBeVisible()
})

test("a fee that is marked paid is sent with its mode of payment", async () => {
  const { user } = await openInvoiced([fee()])
  const calls = answer("put", feesPath, paid)

  await user.click(await screen.findByRole("button", { name: /^Edit fee of/ }))
  expect(screen.queryByLabelText("Mode of Payment")).toBeNull()
  await user.selectOptions(screen.getByLabelText("Status"), "PAID")
  await user.selectOptions(screen.getByLabelText("Mode of Payment"), "CHEQUE")
  await user.type(screen.getByLabelText("Reference"), "004512")
  await user.click(screen.getByRole("button", { name: "Save" }))

  await expect.poll(() => calls.length).toBe(1)
  expect(calls[0]!.body).toMatchObject({
    status: "PAID",
    modeOfPayment: "CHEQUE",
    reference: "004512",
  })
})

test("the end of a service shows what goes back and how it was worked out", async () => {
  const { user } = await openInvoiced()
  answer("get", `${feesPath}/refund`, {
    endedOn: "2025-07-09",
    fee: 120_000,
    days: 365,
    served: 100,
    unserved: 265,
    share: 87_123.29,
    refunded: 0,
    amount: 87_123.29,
  })
  const calls = answer("post", `${feesPath}/refund`, {
    fee: paid,
    creditNote: { ...invoice, number: "CRN/26-27/0001" },
  })

  await user.click(await screen.findByRole("button", { name: /^Refund the fee of/ }))
  const dialog = within(await screen.findByRole("dialog"))
  await user.type(await dialog.findByLabelText("Last day of service"), "09-07-2025")
  await user.tab()
  expect(await dialog.findByText("₹87,123.29 to refund.")).toBeVisible()
  expect(dialog.getByRole("status")).toHaveTextContent("₹1,20,000.00 × 265 ÷ 365 = ₹87,123.29")
  await user.selectOptions(dialog.getByLabelText("Mode of Payment"), "UPI")
  await user.click(dialog.getByRole("button", { name: "Record refund" }))

  expect(await screen.findByText(/credit note CRN\/26-27\/0001/)).toBeVisible()
  expect(calls[0]!.body).toMatchObject({
    feeId: "fee-1",
    endedOn: "2025-07-09",
    modeOfPayment: "UPI",
    amount: null,
  })
})

test("a day outside the period says why nothing goes back", async () => {
  const { user } = await openInvoiced()
  refuse("get", `${feesPath}/refund`, 422, "Choose an earlier day of the period.")

  await user.click(await screen.findByRole("button", { name: /^Refund the fee of/ }))
  await user.type(await screen.findByLabelText("Last day of service"), "31-03-2026")
  await user.tab()

  expect(await screen.findByText("Choose an earlier day of the period.")).toBeVisible()
})

test("invoices are listed with the invoice that a credit note corrects", async () => {
  signedIn("USER")
  const row = {
    _id: "inv-2",
    kind: "CREDIT_NOTE",
    number: "CRN/26-27/0001",
    issuedOn: "2026-04-20",
    paidOn: "2026-04-20",
    client: "id-1",
    clientId: "C0001",
    userName: "Asha Rao",
    modeOfPayment: "BANK_TRANSFER",
    reference: "",
    value: 87_123.29,
    tax: 15_682.2,
    total: 102_805.49,
    corrects: "INV/26-27/0001",
  }
  const calls = answer("get", "/admin/invoices", [row], pageOf(1, 20))

  const { user } = await showApp("/home/invoices", { role: "USER" })

  expect(await screen.findByText("Credit note for INV/26-27/0001")).toBeVisible()
  expect(screen.getByText("₹1,02,805.49")).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Credit notes" }))
  await expect.poll(() => calls.at(-1)!.search.get("kind")).toBe("CREDIT_NOTE")
})
