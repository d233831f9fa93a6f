import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { pageOf } from "@/testing/clients"
import { answer } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import type { ReadinessRow } from "./queries"

const row: ReadinessRow = {
  _id: "id-4",
  clientId: "C0004",
  name: "Dev Sen",
  broker: "ANGEL_ONE",
  session: "LIVE",
  sessionUntil: "2026-11-22T00:30:00Z",
  linkedAt: null,
  syncedAt: "2026-11-21T05:00:00Z",
  outcome: "DOUBTED",
  reason: "The broker's list of holdings is empty.",
  leftOut: ["Position DHANIYA on NCDEX is left out: its exchange is missing or not usable."],
  priceAt: "2026-11-21T05:00:00Z",
  unexplained: 0,
  unmapped: 0,
  moneyByBooks: null,
  moneyAtBroker: null,
  moneyDifference: 0,
  problems: ["SYNC", "LEFT_OUT"],
}

const counts = {
  total: 1,
  ready: 0,
  session: 0,
  sync: 1,
  leftOut: 1,
  unmapped: 0,
  changes: 0,
  money: 0,
  prices: 0,
}

test("an empty list is applied once a person confirms it, and left-out rows are named", async () => {
  signedIn("USER")
  answer("get", "/admin/sync", null, pageOf(0))
  answer("get", "/admin/readiness", [row], {
    counts,
    alarms: [],
    toConnect: 0,
    mastersReadAt: {},
    ...pageOf(1),
  })
  const sent = answer("post", "/admin/clients/client/:id/sync", {}, { message: "Synced" })
  const { user } = await showApp("/home/readiness", { role: "USER" })
  const dev = await screen.findByRole("row", { name: /Dev Sen/ })

  expect(dev).toHaveTextContent("Needs confirmation: The broker's list of holdings is empty.")
  expect(dev).toHaveTextContent("Position DHANIYA on NCDEX is left out")
  await user.click(within(dev).getByRole("button", { name: "Confirm: no holdings" }))
  const dialog = await screen.findByRole("dialog", { name: "Dev Sen has no holdings?" })
  expect(sent).toHaveLength(0)
  await user.click(within(dialog).getByRole("button", { name: "Confirm" }))

  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]?.path).toContain("id-4")
  expect(sent[0]?.body).toEqual({ acceptEmpty: true })
})
