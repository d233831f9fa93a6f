import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { answer } from "@/testing/server"
import { showApp } from "@/testing/show"
import { ownSettingsAnswered, signedIn } from "@/testing/signed-in"

const instance = {
  key: "2026-10-31",
  text: "Month to 31/10/2026",
  opensOn: "2026-11-01",
  dueOn: "2026-11-07",
  status: "LATE",
  doneOn: null,
  isDoneLate: false,
} as const
const row = {
  _id: "complaint_table",
  number: 1,
  title: "Complaint data published",
  ruleText: "On day 7 of the month after each month's end",
  source: "SEBI circular 2025/81",
  status: "LATE",
  note: "Month to 31/10/2026",
  current: instance,
} as const
const audit = {
  ...row,
  _id: "annual_audit",
  number: 3,
  title: "Annual audit",
  status: "DONE",
  note: "",
  current: null,
} as const

const version = {
  title: row.title,
  form: "MONTH_END",
  trigger: "DATE",
  rule: "7",
  ruleText: row.ruleText,
  duty: "Publish the table of complaints.",
  evidence: "The published table",
  source: row.source,
  terms: "",
  effectiveOn: "2025-06-02",
  isEnded: false,
} as const
const shownRow = (more: Record<string, unknown> = {}) => ({
  ...row,
  isOwn: false,
  prepares: "Complaint table of the month",
  instances: [instance],
  evidence: [],
  versions: [version],
  ...more,
})

beforeEach(() => {
  signedIn()
  ownSettingsAnswered()
  answer("get", "/admin/obligations", [row, audit])
})

test("obligations are listed with due day and status, and a status narrows the list", async () => {
  const { user } = await showApp("/home/compliance", { role: "ADMIN" })

  const row = await screen.findByRole("row", { name: /Complaint data published/ })
  expect(row).toHaveTextContent(/07\/11\/2026.*Late/)

  await user.click(screen.getByRole("button", { name: "Done" }))
  expect(screen.queryByText("Complaint data published")).toBeNull()
  expect(screen.getByText("Annual audit")).toBeVisible()
})

test("a row opens to its rule, and evidence without a file needs a note and a name", async () => {
  answer("get", "/admin/obligations/complaint_table", shownRow())
  const { user } = await showApp("/home/compliance?obligation=complaint_table", { role: "ADMIN" })

  expect(await screen.findByText("Publish the table of complaints.")).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Add evidence" }))
  const dialog = await screen.findByRole("dialog", { name: "Add evidence" })
  await user.click(within(dialog).getByRole("button", { name: "Save" }))
  expect(within(dialog).getByText("Choose a file, or write a note with a name.")).toBeVisible()

  await user.fill(within(dialog).getByLabelText("Note"), "Published.")
  await user.click(within(dialog).getByRole("button", { name: "Save" }))
  expect(
    within(dialog).getByText("Enter the name of the person who vouches for the note."),
  ).toBeVisible()
})

const file = {
  _id: "9",
  instance: instance.key,
  kind: "PREPARED",
  name: "",
  note: "Complaint table of the month, made by Tarazu",
  fileName: "complaint-table-2026-10-31.xlsx",
  proof: "ab".repeat(32),
  recordedAt: "2026-11-26T06:30:00Z",
  recordedBy: "Ananya Kulkarni",
} as const

test("the product makes a file, and a person records it as evidence after a question", async () => {
  answer("get", "/admin/obligations/complaint_table", shownRow())
  const made = answer("post", "/admin/obligations/complaint_table/files", shownRow())
  const { user } = await showApp("/home/compliance?obligation=complaint_table", { role: "ADMIN" })

  expect(await screen.findByText("Complaint table of the month")).toBeVisible()
  answer("get", "/admin/obligations/complaint_table", shownRow({ evidence: [file] }))
  await user.click(screen.getByRole("button", { name: "Make the file" }))

  expect(await screen.findByText(/Made, not recorded as evidence, 26\/11\/2026/)).toBeVisible()
  expect(made[0]?.body).toEqual({ instance: instance.key })
  const recorded = answer("post", "/admin/obligations/evidence/9/record", shownRow())
  await user.click(screen.getByRole("button", { name: "Record as evidence" }))
  const question = within(await screen.findByRole("dialog", { name: "Record as evidence?" }))
  expect(question.getByText(/asks for: The published table/)).toBeVisible()
  expect(recorded).toHaveLength(0)
  await user.click(question.getByRole("button", { name: "Record" }))

  await waitFor(() => expect(recorded).toHaveLength(1))
})

test("a version without an accessibility report says so", async () => {
  const accessibility = { _id: "accessibility", title: "Accessibility audit", prepares: "" }
  answer("get", "/admin/obligations/accessibility", shownRow(accessibility))
  await showApp("/home/compliance?obligation=accessibility", { role: "ADMIN" })

  const none = "No accessibility report comes with this version"
  expect(await screen.findByText(none)).toBeVisible()
  expect(screen.queryByRole("button", { name: "Make the file" })).toBeNull()
})

test("the deposit names what is missing, and what is entered is saved", async () => {
  const year = (last: string, shortfall: number | null) => ({
    first: "2025-04-01",
    last,
    peak: 151,
    peakOn: "2025-12-01",
    needed: 200_000,
    entered: shortfall === null ? null : 150_000,
    shortfall,
  })
  const settings = {
    isPartTime: null,
    deposit: 150_000,
    version: 3,
    lastYear: year("2026-03-31", 50_000),
    thisYear: year("2027-03-31", 0),
  }
  answer("get", "/admin/obligations/settings", settings)
  const saved = answer("put", "/admin/obligations/settings", settings)
  const { user } = await showApp("/home/compliance", { role: "ADMIN" })

  await user.click(await screen.findByRole("button", { name: "Deposit" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Deposit and hours" }))

  expect(await dialog.findByText(/₹50,000.00 is missing/)).toHaveTextContent(
    "Year to 31/03/2026: ₹2,00,000.00 for up to 151 clients on a day, first on 01/12/2025.",
  )
  expect(dialog.getByText(/The deposit is enough/)).toHaveTextContent("Year until 31/03/2027")
  await user.refill(dialog.getByLabelText("Deposit held"), "200000")
  await user.selectOptions(dialog.getByLabelText("The analyst works"), "Part-time")
  await user.click(dialog.getByRole("button", { name: "Save" }))

  await waitFor(() =>
    expect(saved[0]?.body).toEqual({ deposit: 200_000, isPartTime: true, version: 3 }),
  )
})
