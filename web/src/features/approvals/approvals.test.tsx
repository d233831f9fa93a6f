import { screen, waitFor, within } from "@testing-library/react"
import { http, HttpResponse } from "msw"
import { beforeEach, expect, test } from "vitest"
import { answer, hang, refuse, server } from "@/testing/server"
import { showApp } from "@/testing/show"
import { ownSettingsAnswered, signedIn } from "@/testing/signed-in"
import { toastMessages } from "@/testing/toasts"
import type { ApprovalShown } from "./queries"

const path = "/admin/approvals"
const shown: ApprovalShown = {
  _id: "7",
  action: "ADVICE",
  state: "WAITING",
  about: "Advice to Kavya Menon (C0001), 2 orders",
  note: "Before the results.",
  askedBy: "Ananya Kulkarni",
  askedAt: "2026-11-26T06:30:00Z",
  expiresAt: "2026-11-27T06:30:00Z",
  decidedBy: "",
  decidedAt: null,
  answer: "",
  result: "",
  isOwn: false,
  facts: [{ label: "Rationale", text: "Quality." }],
  orders: [
    { type: "BUY", symbol: "INFY", exchange: "NSE", quantity: 10, lastPrice: 1500, value: 15000 },
    { type: "SELL", symbol: "ITC", exchange: "NSE", quantity: 5, lastPrice: 400, value: 2000 },
  ],
  buyValue: 15000,
  sellValue: 2000,
  checks: [
    { id: "kyc", level: "WARN", text: "C0001: the PAN is missing." },
    { id: "prices", level: "OK", text: "Prices are of today." },
  ],
  to: "",
  fault: "",
}

beforeEach(() => {
  signedIn()
  ownSettingsAnswered()
})

function listed(rows: ApprovalShown[]) {
  answer("get", path, rows, {
    pagination: { currentPage: 1, totalPages: 1, totalUsers: rows.length, limit: 20 },
  })
  for (const row of rows) answer("get", `${path}/${row._id}`, row)
}

test("a request opens to its orders, its reason and the checks that are not in order", async () => {
  listed([shown])
  const { user } = await showApp("/home/approvals", { role: "ADMIN" })

  await user.click(await screen.findByRole("row", { name: /Advice to Kavya Menon/ }))

  const drawer = within(await screen.findByRole("dialog", { name: shown.about }))
  expect(await drawer.findByText("Quality.")).toBeVisible()
  expect(drawer.getByRole("row", { name: /INFY.*BUY.*10.*1,500.00.*15,000.00/ })).toBeVisible()
  expect(drawer.getByText("C0001: the PAN is missing.")).toBeVisible()
  expect(drawer.queryByText("Prices are of today.")).toBeNull()
})

test("another administrator approves with an answer", async () => {
  listed([shown])
  const decided = answer("post", `${path}/7/approve`, { ...shown, state: "APPROVED" })
  const { user } = await showApp("/home/approvals?open=7", { role: "ADMIN" })

  await user.type(await screen.findByLabelText("Answer"), "Read.")
  await user.click(screen.getByRole("button", { name: "Approve" }))

  await waitFor(() => expect(decided).toHaveLength(1))
  expect(decided[0]?.body).toEqual({ answer: "Read." })
})

test("the approval is confirmed although the form is gone before everything is fetched again", async () => {
  listed([shown])
  const approved = { ...shown, state: "APPROVED" as const }
  answer("post", `${path}/7/approve`, approved, { message: "Approved." })
  const { user } = await showApp("/home/approvals?open=7", { role: "ADMIN" })
  const approve = await screen.findByRole("button", { name: "Approve" })
  answer("get", `${path}/7`, approved)
  hang("get", path)

  await user.click(approve)

  await waitFor(() => expect(screen.queryByLabelText("Answer")).toBeNull())
  expect(toastMessages()).toEqual(["Approved."])
})

test("a refusal of the server is shown in the drawer", async () => {
  listed([shown])
  refuse("post", `${path}/7/refuse`, 409, "This was already approved by Ravi Rao.")
  const { user } = await showApp("/home/approvals?open=7", { role: "ADMIN" })

  await user.click(await screen.findByRole("button", { name: "Refuse" }))

  expect(await screen.findByText("This was already approved by Ravi Rao.")).toBeVisible()
})

test("an own request can only be withdrawn", async () => {
  listed([{ ...shown, isOwn: true }])
  await showApp("/home/approvals?open=7", { role: "ADMIN" })

  expect(await screen.findByRole("button", { name: "Withdraw" })).toBeVisible()
  expect(screen.queryByRole("button", { name: "Approve" })).toBeNull()
})

test("what cannot be done now says why and cannot be approved", async () => {
  listed([{ ...shown, fault: "The client's holdings changed since the rebalance." }])
  await showApp("/home/approvals?open=7", { role: "ADMIN" })

  expect(await screen.findByRole("alert")).toHaveTextContent(
    "It cannot be done now. The client's holdings changed since the rebalance.",
  )
  expect(screen.getByRole("button", { name: "Approve" })).toBeDisabled()
})

test("a refused change of the setting offers to ask for the approval", async () => {
  const choices = [{ action: "ADVICE", title: "Advice to one client", hint: "", isOn: true }]
  answer("get", "/admin/settings/second-approval", { choices, administrators: 2 })
  server.use(
    http.put("*/api/v1/admin/settings/second-approval", () =>
      HttpResponse.json(
        {
          success: false,
          message: "A second administrator must approve this. Ask for the approval.",
          code: "APPROVAL_REQUIRED",
          details: { action: "SETTING" },
        },
        { status: 403 },
      ),
    ),
  )
  const asked = answer("post", path, shown)
  const { user } = await showApp("/home/settings?section=approvals", { role: "ADMIN" })

  await user.click(await screen.findByRole("checkbox", { name: "Advice to one client" }))
  await user.type(await screen.findByLabelText("Note for them"), "Too slow.")
  await user.click(screen.getByRole("button", { name: "Ask for approval" }))

  await waitFor(() => expect(asked).toHaveLength(1))
  expect(asked[0]?.body).toEqual({ asked: { action: "SETTING", actions: [] }, note: "Too slow." })
  await waitFor(() => expect(screen.queryByLabelText("Note for them")).toBeNull())
})
