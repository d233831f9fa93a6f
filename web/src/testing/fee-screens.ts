import { screen } from "@testing-library/react"
import { chooseClient } from "@/api/session"
import { clientProfile, pageOf } from "./clients"
import { clientFees, fee, passedLimit } from "./fees"
import { answer, refuse } from "./server"
import { type Person, showApp } from "./show"
import { signedIn } from "./signed-in"

export const clientPath = "/admin/clients/client/id-1"
export const feesPath = `${clientPath}/fees`
export const feeStats = { totalFees: 1_464_596, totalPaid: 1_447_287.22, totalDue: 17_308.78 }

/** Asha owes something; Ravi's family is past the yearly limit. */
export const twoClients = [
  clientFees(),
  clientFees({
    _id: "id-2",
    clientId: "C0002",
    userName: "Ravi Iyer",
    totalFees: 160_000,
    totalDue: 0,
    dueDate: null,
    totalPaid: 160_000,
    paidDate: "2026-05-30",
    status: "PAID",
    overLimit: true,
    limit: passedLimit,
  }),
]

/** Opens the Fees screen on these rows. */
export async function openFees(search = "", rows = twoClients, total = rows.length) {
  signedIn("USER")
  answer("get", "/fees/stats", feeStats)
  const calls = answer("get", "/fees", rows, pageOf(total, 5))
  const shown = await showApp(`/home/fees${search}`, { role: "USER" })
  return { calls, ...shown }
}

/** Makes Asha the chosen client and answers the calls of the client layout. */
export function chooseAsha() {
  chooseClient("id-1", "C0001")
  signedIn("USER")
  answer("get", "/admin/invoices/options", { isOn: false, hasGstin: false, defaultMode: null })
  answer("get", `${clientPath}/profile`, clientProfile())
}

/** Opens Asha's fees. */
export async function openClientFees(fees = [fee()], search = "") {
  const calls = answer("get", feesPath, fees)
  const shown = await showApp(`/home/client/fees${search}`, { role: "USER" })
  await (fees.length > 0
    ? screen.findByText(`1–${Math.min(20, fees.length)} of ${fees.length}`)
    : screen.findByText("No Data Available"))
  return { calls, ...shown }
}

/** Opens Asha's fees and adds a row; null for a starting value that cannot be fetched. */
export async function openNewRow(start: number | null = 1_150_000) {
  if (start === null) refuse("get", `${clientPath}/starting-value`, 500, "Something went wrong")
  else answer("get", `${clientPath}/starting-value`, start)
  const shown = await openClientFees()
  await shown.user.click(screen.getByRole("button", { name: "Add Row" }))
  return shown
}

export const pencil = () => screen.findByRole("button", { name: "Edit fee of 01/04/2025" })
export const feeField = (name: string) => screen.getByLabelText<HTMLInputElement>(name)

export async function fillNewRow(user: Person) {
  await user.fill(feeField("Starting Date"), "2026-04-01")
  await user.fill(feeField("Final Date"), "2026-09-30")
  await user.fill(feeField("Final Value"), "1250000.5")
}
