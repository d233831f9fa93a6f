import { screen, waitFor } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { expectFetchStates } from "@/testing/fetch-states"
import { answer, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { toastMessages } from "@/testing/toasts"
import type { FollowUpDetails } from "./follow-up-queries"

const path = "/admin/settings/follow-up"
const details: FollowUpDetails = {
  windowDays: 5,
  tolerance: 0,
  sendsReminders: true,
  mailsLinks: true,
  basketRows: 10,
  limitPercentage: 1,
  trackingLimitPercentage: 0.5,
  idleCashLimitPercentage: 2,
  version: 3,
  updatedAt: "2026-11-20T05:00:00Z",
}

beforeEach(() => signedIn())

const open = () => showApp("/home/settings?section=followUp", { role: "ADMIN" })

test("the settings are shown, and what was changed is saved with the version that was seen", async () => {
  answer("get", path, details)
  const sent = answer("put", path, { ...details, windowDays: 7, version: 4 }, { message: "Saved." })
  const { user } = await open()

  expect(await screen.findByLabelText("Window (business days)")).toHaveValue("5")
  expect(screen.getByLabelText("Limit price: distance from the last price")).toHaveValue("1.00%")
  await user.refill(screen.getByLabelText("Window (business days)"), "7")
  await user.click(screen.getByLabelText("Send reminders"))
  await user.click(screen.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(toastMessages()).toEqual(["Saved."]))
  expect(sent[0]?.body).toEqual({
    windowDays: 7,
    tolerance: 0,
    sendsReminders: false,
    mailsLinks: true,
    basketRows: 10,
    limitPercentage: 1,
    trackingLimitPercentage: 0.5,
    idleCashLimitPercentage: 2,
    version: 3,
  })
})

test("an empty limit is off", async () => {
  answer("get", path, { ...details, idleCashLimitPercentage: null })
  const sent = answer("put", path, { ...details, version: 4 }, { message: "Saved." })
  const { user } = await open()

  expect(await screen.findByLabelText("Idle cash limit")).toHaveValue("")
  await user.clear(screen.getByLabelText("Tracking error limit"))
  await user.click(screen.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.body).toMatchObject({
    trackingLimitPercentage: null,
    idleCashLimitPercentage: null,
  })
})

test.each([
  ["Window (business days)", "31", "Enter 1 to 30 business days"],
  ["Window (business days)", "0", "Enter 1 to 30 business days"],
  ["Tolerance (shares)", "-1", "Enter 0 to 1000 shares"],
  ["Orders in one basket", "51", "Enter 1 to 50 orders"],
])("%s does not take %s", async (label, text, message) => {
  answer("get", path, details)
  const sent = answer("put", path, details)
  const { user } = await open()
  await user.refill(await screen.findByLabelText(label), text)

  await user.click(screen.getByRole("button", { name: "Save" }))

  expect(await screen.findByText(message)).toBeVisible()
  expect(sent).toHaveLength(0)
})

test("a refusal is said, and Undo brings back what was saved", async () => {
  answer("get", path, details)
  refuse("put", path, 409, "Somebody else changed the settings. Reload them.")
  const { user } = await open()
  await user.refill(await screen.findByLabelText("Tolerance (shares)"), "2")
  await user.click(screen.getByRole("button", { name: "Save" }))
  await waitFor(() =>
    expect(toastMessages()).toEqual(["Somebody else changed the settings. Reload them."]),
  )

  await user.click(screen.getByRole("button", { name: "Undo" }))

  expect(screen.getByLabelText("Tolerance (shares)")).toHaveValue("0")
})

test("loading and failure show their messages", () =>
  expectFetchStates(path, { open, data: details, shows: "Matching" }))
