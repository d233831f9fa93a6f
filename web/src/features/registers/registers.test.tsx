import { screen, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { pageOf } from "@/testing/clients"
import { answer, answerLater, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { dataRows } from "@/testing/tables"
import type { Advertisement, Complaint } from "./queries"

const complaint = (change: Partial<Complaint> = {}): Complaint => ({
  _id: "id-1",
  receivedOn: "2026-11-10",
  clientId: null,
  complainant: "Meera Iyer",
  channel: "SEBI (SCORES)",
  reference: "SCORES/1187",
  subject: "Fee charged twice",
  nature: "Fees",
  resolvedOn: null,
  resolution: "",
  dueOn: "2026-12-01",
  state: "DUE_SOON",
  version: 3,
  ...change,
})

const choices = {
  channels: ["Directly from investors", "SEBI (SCORES)"],
  series: ["XV"],
  complaintDays: 21,
  tradingDaysBefore: 30,
  tradingDaysAfter: 5,
  incidentHours: 72,
}

beforeEach(() => {
  signedIn()
  answer("get", "/admin/registers/choices", choices)
})

async function openComplaints() {
  answer("get", "/admin/complaints", [complaint()], pageOf(1, 20))
  const app = await showApp("/home/compliance/complaints", { role: "ADMIN" })
  await screen.findByText("Fee charged twice")
  return app
}

test("a complaint shows its clock and where it came from", async () => {
  await openComplaints()

  for (const text of ["10/11/2026", "Meera Iyer", "SEBI (SCORES)", "01/12/2026", "Due soon"])
    expect(dataRows()[0]).toHaveTextContent(text)
  expect(await screen.findByText(/resolved within 21 days/)).toBeVisible()
})

test("what the server refuses of a closing is shown at its field", async () => {
  const { user } = await openComplaints()
  const calls = refuse("post", "/admin/complaints/id-1/resolve", 422, "It came later.", [
    { field: "resolvedOn", message: "It came later." },
  ])

  await user.click(screen.getByRole("button", { name: /complaint of Meera Iyer/ }))
  await user.click(await screen.findByRole("menuitem", { name: "Resolve" }))
  const form = await screen.findByRole("dialog")
  await user.type(within(form).getByLabelText("Resolution"), "Paid back.")
  await user.click(within(form).getByRole("button", { name: "Resolve" }))

  expect(await within(form).findByText("It came later.")).toBeVisible()
  expect(within(form).getByLabelText("Resolved on")).toHaveAttribute("aria-invalid", "true")
  expect(calls).toHaveLength(1)
})

test("a new complaint is sent with what was typed, and the empty day as none", async () => {
  const { user } = await openComplaints()
  const calls = answer("post", "/admin/complaints", complaint())

  await user.click(screen.getByRole("button", { name: "Add complaint" }))
  const form = await screen.findByRole("dialog")
  await user.type(within(form).getByLabelText("From"), "C0007")
  await user.selectOptions(within(form).getByLabelText("Channel"), "SEBI (SCORES)")
  await user.type(within(form).getByLabelText("Subject"), "Late letter")
  await user.click(within(form).getByRole("button", { name: "Save" }))
  expect(await within(form).findByText("Nature is required")).toBeVisible()
  await user.type(within(form).getByLabelText("Nature"), "Service")
  await user.click(within(form).getByRole("button", { name: "Save" }))

  expect(await screen.findByText("Complaint added")).toBeVisible()
  expect(calls[0]?.body).toMatchObject({
    complainant: "C0007",
    subject: "Late letter",
    resolvedOn: null,
  })
})

test("channels that come after the form is open are on offer", async () => {
  const { answerNow } = answerLater("get", "/admin/registers/choices", choices)
  const { user } = await openComplaints()

  await user.click(screen.getByRole("button", { name: "Add complaint" }))
  const form = await screen.findByRole("dialog")
  expect(within(form).queryByRole("option", { name: "SEBI (SCORES)" })).toBeNull()
  answerNow()

  expect(await within(form).findByRole("option", { name: "SEBI (SCORES)" })).toBeVisible()
})

test("channels that cannot be loaded are said to be missing, and come with the next form", async () => {
  refuse("get", "/admin/registers/choices", 404, "Not found")
  const { user } = await openComplaints()

  await user.click(screen.getByRole("button", { name: "Add complaint" }))
  expect(await screen.findByText(/choices could not be loaded/)).toBeVisible()
  answer("get", "/admin/registers/choices", choices)
  await user.click(screen.getByRole("button", { name: "Cancel" }))
  await user.click(screen.getByRole("button", { name: "Add complaint" }))

  expect(await screen.findByRole("option", { name: "SEBI (SCORES)" })).toBeVisible()
})

test("channels that were loaded stay on offer where they cannot be loaded again", async () => {
  const { user, queryClient } = await openComplaints()
  await screen.findByText(/resolved within 21 days/)
  refuse("get", "/admin/registers/choices", 404, "Not found")
  await queryClient.invalidateQueries({ queryKey: ["registers", "choices"] })

  await user.click(screen.getByRole("button", { name: "Add complaint" }))
  const form = await screen.findByRole("dialog")

  expect(within(form).getByRole("option", { name: "SEBI (SCORES)" })).toBeVisible()
  expect(within(form).queryByText(/could not be loaded/)).toBeNull()
})

test("a channel that no new complaint may have stays that of its complaint", async () => {
  answer("get", "/admin/complaints", [complaint({ channel: "By post" })], pageOf(1, 20))
  const { user } = await showApp("/home/compliance/complaints", { role: "ADMIN" })

  await user.click(await screen.findByRole("button", { name: /complaint of Meera Iyer/ }))
  await user.click(await screen.findByRole("menuitem", { name: "Edit" }))
  const form = await screen.findByRole("dialog")
  await within(form).findByRole("option", { name: "SEBI (SCORES)" })

  expect(within(form).getByLabelText("Channel")).toHaveValue("By post")
})

test("flagged words of an advertisement are marked where they are", async () => {
  const row: Advertisement = {
    _id: "id-2",
    title: "Post",
    medium: "X",
    text: "😀 The best research",
    approvalNumber: "",
    approvedOn: null,
    releasedOn: null,
    flagged: [{ word: "best", start: 6, end: 10 }],
    needsApproval: true,
    version: 1,
  }
  answer("get", "/admin/registers/advertisements", [row], pageOf(1, 20))

  await showApp("/home/compliance/advertisements", { role: "ADMIN" })

  const marked = await screen.findByText("best", { selector: "mark" })
  expect(marked.parentElement?.parentElement).toHaveTextContent("😀 The best research")
  expect(dataRows()[0]).toHaveTextContent("Needs approval")
})

test("what the date of a declaration means is said once its kind is chosen", async () => {
  answer("get", "/admin/disclosures", [], pageOf(0, 20))
  answer("get", "/admin/disclosures/breaches", [])
  answer("get", "/users", [])
  const { user } = await showApp("/home/own-trading", { role: "ADMIN" })
  await user.click(await screen.findByRole("button", { name: "Declare" }))
  const form = await screen.findByRole("dialog")

  expect(within(form).getByLabelText("Date")).toHaveAccessibleDescription("")
  await user.selectOptions(within(form).getByLabelText("Kind"), "Holding")
  expect(within(form).getByLabelText("Date")).toHaveAccessibleDescription("Held since.")
  await user.selectOptions(within(form).getByLabelText("Kind"), "Trade")
  expect(within(form).getByLabelText("Date")).toHaveAccessibleDescription("The day of the trade.")
})
