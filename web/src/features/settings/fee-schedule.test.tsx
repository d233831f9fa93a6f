import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { session } from "@/api/session"
import { feeSchedule } from "@/testing/fees"
import { expectFetchStates } from "@/testing/fetch-states"
import { setScreenWidth } from "@/testing/screen-width"
import { answer, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { rowTexts } from "@/testing/tables"
import { toastMessages } from "@/testing/toasts"
import { FeeScheduleCard } from "./fee-schedule"

const path = "/settings/fee-schedule"
const first = feeSchedule({ isInForce: false })
const second = feeSchedule({
  _id: "schedule-2",
  effectiveOn: "2026-04-01",
  slabs: [
    { from: 0, percentage: 8 },
    { from: 10, percentage: 10 },
  ],
  source: "Agreement, clause 7",
  isInUse: false,
})
const fixed = feeSchedule({
  _id: "schedule-3",
  effectiveOn: "2027-04-01",
  kind: "FIXED",
  slabs: [],
  fixedAmount: 12_500.5,
  isAboveHighWaterMark: false,
  yearlyLimit: null,
  source: "",
  isInForce: false,
  isInUse: false,
})
const schedule = { inForce: second, versions: [fixed, second, first] }

async function open(role = "ADMIN") {
  session.start("token-of-the-test", role)
  const calls = answer("get", path, schedule)
  const shown = await show(<FeeScheduleCard />)
  return { calls, ...shown }
}

const openForm = async (name: string) => {
  const shown = await open()
  const button = await screen.findByRole("button", { name })
  await waitFor(() => expect(button).toBeEnabled())
  await shown.user.click(button)
  const dialog = within(await screen.findByRole("dialog"))
  return { dialog, ...shown }
}

test("the versions are listed newest first, with their terms in words", async () => {
  await open()

  await screen.findByText("01/04/2027")
  expect(rowTexts()).toEqual([
    "01/04/2027₹12,500.50 per periodNot usedNone-",
    "01/04/2026In force8.00% of any gain; 10.00% from a gain of 10.00%Above it₹1,51,000.00Agreement, clause 7",
    "14/02/202420.00% of any gainAbove it₹1,51,000.00DefaultIn use",
  ])
})

test("only an ADMIN sees it", async () => {
  const { calls } = await open("USER")

  expect(screen.queryByText("Fee schedule")).toBeNull()
  expect(calls).toEqual([])
})

test("a version is added with slabs, beginning with the terms in force", async () => {
  const sent = answer("put", path, schedule)
  const { user, dialog } = await openForm("Add version")
  expect(dialog.getByRole("heading", { name: "Add version" })).toBeVisible()

  await user.fill(dialog.getByLabelText("Effective from"), "2027-01-01")
  await user.click(dialog.getByRole("button", { name: "Add slab" }))
  const slab = within(dialog.getByRole("group", { name: "Slab 3" }))
  await user.type(slab.getByLabelText("From a gain of"), "25")
  await user.fill(slab.getByLabelText("Share of the gain"), "12.5")
  await user.click(dialog.getByRole("button", { name: "Remove slab 1" }))
  await user.click(dialog.getByLabelText("Above the high-water mark"))
  await user.clear(dialog.getByLabelText("Yearly limit per family"))
  await user.fill(dialog.getByLabelText("Source"), "Agreement of 2027")
  await user.click(dialog.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull())
  const [oldSlab, newSlab] = [
    { from: 10, percentage: 10 },
    { from: 25, percentage: 12.5 },
  ]
  expect(sent.map((call) => call.body)).toEqual([
    {
      seenAt: null,
      effectiveOn: "2027-01-01",
      kind: "SLABS",
      slabs: [oldSlab, newSlab],
      fixedAmount: null,
      isAboveHighWaterMark: false,
      yearlyLimit: null,
      source: "Agreement of 2027",
    },
  ])
})

test("a version is added with a fixed amount", async () => {
  const sent = answer("put", path, schedule)
  const { user, dialog } = await openForm("Add version")

  await user.fill(dialog.getByLabelText("Effective from"), "2027-01-01")
  await user.click(dialog.getByRole("button", { name: "Fixed amount" }))
  await user.click(dialog.getByRole("button", { name: "Save" }))
  expect(dialog.getByText("Please fill all required fields.")).toBeVisible()
  await waitFor(() => expect(dialog.getByLabelText("Amount per period")).toHaveFocus())
  await user.fill(dialog.getByLabelText("Amount per period"), "5000")
  await user.click(dialog.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]!.body).toMatchObject({ kind: "FIXED", fixedAmount: 5000, slabs: [] })
})

test("a missing value or a slab that does not rise shows an error at its field", async () => {
  const sent = answer("put", path, schedule)
  const { user, dialog } = await openForm("Add version")
  await user.click(dialog.getByRole("button", { name: "Add slab" }))
  const slab = within(dialog.getByRole("group", { name: "Slab 3" }))
  await user.type(slab.getByLabelText("From a gain of"), "10")

  await user.click(dialog.getByRole("button", { name: "Save" }))

  expect(dialog.getByText("Please select a valid date")).toBeVisible()
  expect(slab.getByText("Each slab starts above the one before.")).toBeVisible()
  expect(slab.getByText("Please fill all required fields.")).toBeVisible()
  await waitFor(() => expect(dialog.getByLabelText("Effective from")).toHaveFocus())
  expect(sent).toEqual([])
})

test("a version that no fee uses can be changed, except for its date", async () => {
  const sent = answer("put", path, schedule)
  const { user, dialog } = await openForm("Change the version of 01/04/2026")
  expect(dialog.getByLabelText("Effective from")).toBeDisabled()
  expect(dialog.getByLabelText("Source")).toHaveValue("Agreement, clause 7")

  await user.refill(dialog.getByLabelText("Yearly limit per family"), "175000")
  await user.click(dialog.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]!.body).toMatchObject({ effectiveOn: "2026-04-01", yearlyLimit: 175_000 })
  expect(screen.queryByRole("button", { name: "Change the version of 14/02/2024" })).toBeNull()
})

test("a refusal shows the server's message, and what was typed is not discarded unasked", async () => {
  const message = "Fees were computed with the version of that day. Choose another day."
  refuse("put", path, 409, message)
  const { user, dialog } = await openForm("Add version")
  await user.fill(dialog.getByLabelText("Effective from"), "2024-02-14")

  await user.click(dialog.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(toastMessages()).toEqual([message]))
  expect(dialog.getByLabelText("Effective from")).toHaveValue("14-02-2024")
  await user.keyboard("{Escape}")
  expect(await screen.findByText("Discard changes?")).toBeVisible()
})

test("on a phone a version is a card", async () => {
  setScreenWidth(390)
  const { user } = await open()

  await user.click(
    await screen.findByRole("button", { name: "Show details of version of 01/04/2026" }),
  )

  expect(screen.getByText("8.00% of any gain; 10.00% from a gain of 10.00%")).toBeVisible()
})

test("loading and failure show their messages, and until it is there nothing can be added", () =>
  expectFetchStates(path, {
    open: async () => {
      session.start("token-of-the-test", "ADMIN")
      const shown = await show(<FeeScheduleCard />)
      expect(screen.getByRole("button", { name: "Add version" })).toBeDisabled()
      return shown
    },
    data: schedule,
    shows: "01/04/2027",
  }))
