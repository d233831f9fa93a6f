import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { pageOf } from "@/testing/clients"
import { answer, breakOff } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { dataRows } from "@/testing/tables"
import { toasts } from "@/ui/overlay/toast"
import type { TrailEntry, TrailVerified } from "./queries"

const entry = (seq: number, change: Partial<TrailEntry> = {}): TrailEntry => ({
  seq,
  // Still the 19th in London, already the 20th in India.
  at: "2026-11-19T20:30:00Z",
  who: "Meera Nair",
  accountId: "id-9",
  role: "ADMIN",
  ip: "10.1.2.3",
  action: "client_edited",
  kind: "client",
  recordId: "id-1",
  recordName: "Kavya Menon",
  sentence: "Details of Kavya Menon changed",
  requestId: "request-1",
  hash: "a1b2c3",
  changes: [{ field: "contactNumber", before: "98", after: "97" }],
  ...change,
})

const verified = (change: Partial<TrailVerified> = {}): TrailVerified => ({
  holds: true,
  checked: 1234,
  headSeq: 1234,
  headHash: "feed",
  fault: null,
  seq: null,
  message: "Every row is as it was written.",
  checkedAt: "2026-11-20T06:00:00Z",
  ...change,
})

beforeEach(() => {
  signedIn()
  answer("get", "/admin/audit/choices", {
    people: [{ _id: "id-9", name: "Meera Nair" }],
    actions: ["client_added", "client_edited"],
    kinds: ["client"],
  })
})

async function openAudit(search = "", total = 1) {
  const calls = answer("get", "/admin/audit", [entry(7)], pageOf(total, 20))
  return { calls, ...(await showApp(`/home/audit${search}`, { role: "ADMIN" })) }
}

async function verify() {
  const { user } = await openAudit()
  await user.click(await screen.findByRole("button", { name: "Verify" }))
}

test("each row says when, who, what, on which record, and what changed", async () => {
  await openAudit()

  expect(await screen.findByRole("heading", { level: 1, name: "Audit Trail" })).toBeVisible()
  await screen.findByText("Details of Kavya Menon changed")
  expect(dataRows()[0]).toHaveTextContent("20/11/2026")
  for (const text of ["Meera Nair", "Kavya Menon", "Contact number: 98 97", "10.1.2.3"])
    expect(dataRows()[0]).toHaveTextContent(text)
})

test("days and times of a change are shown as elsewhere, and an id of a mail in the detail only", async () => {
  const changes = [
    { field: "until", before: null, after: "2026-12-09T16:12:04.821748+00:00" },
    { field: "renewalOn", before: "2026-04-01", after: "2027-04-01" },
    { field: "messageId", before: null, after: "<179562.6411@tarazu.example>" },
  ]
  answer("get", "/admin/audit", [entry(7, { changes })], pageOf(1, 20))
  await showApp("/home/audit", { role: "ADMIN" })

  await screen.findByText("Details of Kavya Menon changed")
  expect(dataRows()[0]).toHaveTextContent("Until: 09/12/2026 21:42 IST")
  expect(dataRows()[0]).toHaveTextContent("Renewal on: 01/04/2026 01/04/2027")
  expect(dataRows()[0]).not.toHaveTextContent("Message id")
})

test("filters go to the server and into the address, and are cleared together", async () => {
  const { calls, user, router } = await openAudit("?page=2", 60)
  await screen.findByText("10.1.2.3")

  await user.selectOptions(await screen.findByLabelText("Who"), "Meera Nair")
  await user.selectOptions(screen.getByLabelText("What"), "Client added")

  await waitFor(() => expect(calls.at(-1)!.search.get("action")).toBe("client_added"))
  expect(calls.at(-1)!.search.get("who")).toBe("id-9")
  expect(calls.at(-1)!.search.get("page")).toBe("1")
  expect(router.state.location.search).toMatchObject({ who: "id-9", action: "client_added" })

  await user.click(screen.getByRole("button", { name: "Clear filters" }))

  await waitFor(() => expect(router.state.location.searchStr).toBe(""))
})

test("a row opens to all that is known of it", async () => {
  const { user } = await openAudit()

  await user.click(await screen.findByText("Kavya Menon"))

  const dialog = await screen.findByRole("dialog", { name: "Details of Kavya Menon changed" })
  for (const text of ["request-1", "a1b2c3", "contactNumber", "98", "97"]) {
    expect(within(dialog).getByText(text)).toBeVisible()
  }
})

test("a trail that holds is said to hold, with its end", async () => {
  answer("get", "/admin/audit/verify", verified())

  await verify()

  expect(await screen.findByText("Audit trail verified.")).toBeVisible()
  expect(screen.getByText("Row 1234: feed")).toBeVisible()
})

test("a trail that was tampered with names the row", async () => {
  const message = "Row 12 was changed after it was written."
  const fault = verified({ holds: false, fault: "changed", seq: 12, message })
  answer("get", "/admin/audit/verify", fault)

  await verify()

  expect(await screen.findByText("Audit trail check failed.")).toBeVisible()
  expect(screen.getByText(message, { exact: false })).toBeVisible()
})

test("a check that cannot be made says so", async () => {
  breakOff("get", "/admin/audit/verify")

  await verify()

  await waitFor(() => expect(toasts.get()).toHaveLength(1))
})

test("the trail is the administrators' alone", async () => {
  signedIn("USER")
  answer("get", "/admin/dashboard/stats", {})

  const { router } = await showApp("/home/audit", { role: "USER" })

  expect(router.state.location.pathname).toBe("/home/dashboard")
})
