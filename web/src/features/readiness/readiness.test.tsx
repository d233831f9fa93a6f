import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { session } from "@/api/session"
import { report } from "@/live/progress"
import { pageOf } from "@/testing/clients"
import { readinessAnswered, readinessRow } from "@/testing/readiness"
import { answer, answerBy, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import type { BrokerStatement, SyncRun } from "./queries"

const rows = [
  readinessRow(),
  readinessRow({
    _id: "id-2",
    clientId: "C0002",
    name: "Ravi Iyer",
    outcome: "FAILED",
    reason: "The broker could not be reached. Try again in a minute.",
    unexplained: 1,
    unmapped: 1,
    moneyByBooks: 100_000,
    moneyAtBroker: 150_000,
    moneyDifference: 50_000,
    problems: ["SYNC", "UNMAPPED", "CHANGES", "MONEY"],
  }),
  readinessRow({
    _id: "id-3",
    clientId: "C0003",
    name: "Meera Shah",
    session: "NONE",
    syncedAt: null,
    outcome: null,
    problems: ["SESSION", "SYNC", "ACTIONS"],
    lateActions: ["INFY: 100 shares are not credited since 28-10-2026."],
  }),
]

const counts = { total: 3, ready: 1, session: 1, sync: 2, unmapped: 1, changes: 1, money: 1 }

const run = (change: Partial<SyncRun> = {}): SyncRun => ({
  _id: "run-1",
  kind: "ASKED",
  state: "DONE",
  startedAt: "2026-11-21T05:00:00Z",
  finishedAt: "2026-11-21T05:01:00Z",
  done: 3,
  total: 3,
  counts: { waiting: 0, done: 1, noSession: 1, dead: 0, doubted: 0, failed: 1 },
  clients: [],
  ...change,
})

async function open(search = "", last: SyncRun | null = run(), alarms: string[] = []) {
  const calls = readinessAnswered(rows, counts, { toConnect: 1, alarms })
  const runs = answer("get", "/admin/sync", last, pageOf(3))
  const shown = await showApp(`/home/readiness${search}`, { role: "USER" })
  await screen.findByRole("row", { name: /Asha Rao/ })
  return { calls, runs, ...shown }
}

const filter = (name: RegExp) =>
  within(screen.getByRole("group", { name: "Show clients" })).getByRole("button", { name })

test("each client is listed with its problems, and the last sync with its outcome", async () => {
  await open()

  expect(screen.getByRole("heading", { level: 1, name: "Readiness" })).toBeVisible()
  const ravi = screen.getByRole("row", { name: /Ravi Iyer/ })
  expect(ravi).toHaveTextContent("Failed: The broker could not be reached.")
  expect(ravi).toHaveTextContent("+₹50,000.00")
  expect(ravi).toHaveTextContent("Not synced+3, Unknown stocks, Unexplained changes, Cash mismatch")
  const waiting = screen.getByRole("row", { name: /Meera Shah/ })
  expect(waiting).toHaveTextContent("Not logged in")
  expect(waiting).toHaveTextContent("INFY: 100 shares are not credited since 28-10-2026.")
  expect(screen.getByRole("row", { name: /Asha Rao/ })).toHaveTextContent("Ready")
  expect(screen.getByRole("status", { name: "Last sync" })).toHaveTextContent(
    "1 synced · 1 failed · 1 not logged in.",
  )
})

test("problems of the whole installation are shown above the clients", async () => {
  const alarm = "The database is older than it was: row 150 of the audit trail is not there now."

  await open("", run(), [alarm])

  expect(screen.getByRole("alert")).toHaveTextContent(alarm)
})

test("a click on a problem shows its clients, and the address keeps it", async () => {
  const { calls, user, router } = await open()

  await user.click(filter(/^Cash mismatch/))

  await waitFor(() => expect(calls.at(-1)?.search.get("problem")).toBe("MONEY"))
  expect(router.state.location.search).toMatchObject({ show: "MONEY" })
  expect(filter(/^Cash mismatch/)).toHaveAttribute("aria-pressed", "true")
  await user.click(filter(/^Ready/))
  await waitFor(() => expect(calls.at(-1)?.search.get("ready")).toBe("true"))
})

test("one click syncs all, and the progress is the server's", async () => {
  const { user } = await open()
  const begun = run({ state: "RUNNING", done: 0, total: 40 })
  const pressed = answer("post", "/admin/sync", begun)
  answer("get", "/admin/sync", begun, pageOf(40))

  await user.click(screen.getByRole("button", { name: "Sync all" }))

  expect(await screen.findByText(/0 of 40/)).toBeVisible()
  expect(pressed).toHaveLength(1)
  report({ id: "run-1", step: "Syncing", done: 12, total: 40, state: "RUNNING" })
  expect(await screen.findByText(/12 of 40/)).toBeVisible()
  expect(screen.getByRole("button", { name: "Sync all" })).toBeDisabled()
})

test("one click sends links to all who need one", async () => {
  const { user } = await open()
  const sent = answer("post", "/admin/readiness/send-links", { sent: 1 }, { message: "1 sent" })

  await user.click(screen.getByRole("button", { name: "Send 1 connect links" }))

  expect(await screen.findByText("1 sent")).toBeVisible()
  expect(sent[0]?.body).toEqual({ clientIds: null })
})

test("the reason why nothing can be synced is shown", async () => {
  const { user } = await open()
  refuse("post", "/admin/sync", 409, "No client is logged in at a broker.")

  await user.click(screen.getByRole("button", { name: "Sync all" }))

  expect(await screen.findByText("No client is logged in at a broker.")).toBeVisible()
})

const statement: BrokerStatement = {
  outcome: "FAILED",
  reason: "The broker could not be reached. Try again in a minute.",
  leftOut: ["Order 990011 is left out: its updatetime is missing or not usable."],
  triedAt: "2026-11-21T05:00:00Z",
  syncedAt: "2026-11-20T10:30:00Z",
  net: 150_000,
  collateral: 12_500,
  lines: [
    {
      exchange: "NSE",
      symbol: "RELINFRA-BE",
      isin: "INE036A01016",
      instrumentToken: 1,
      isMapped: false,
      free: 25,
      t1: 0,
      pledged: 0,
      today: 0,
      marginFunded: 0,
      averagePrice: 204.4,
      lastPrice: 171.2,
      isDoubted: false,
    },
  ],
  changes: [
    {
      _id: "change-1",
      exchange: "NSE",
      symbol: "INFY",
      isin: "INE009A01021",
      before: 10,
      after: 20,
      ordered: 0,
      averageBefore: 1500,
      averageAfter: 750,
      hint: "Looks like a split or a bonus: 2 for 1.",
      foundAt: "2026-11-21T05:00:00Z",
    },
  ],
}

test("the broker statement of a client opens, and a change is marked as seen", async () => {
  const { user } = await open()
  let changes = statement.changes
  answerBy("get", "/admin/clients/client/:id/broker-statement", () => ({
    success: true,
    message: null,
    data: { ...statement, changes },
  }))
  const seen = answer("post", "/admin/sync/changes/:id/seen", null, { message: "Marked as seen" })

  const ravi = screen.getByRole("row", { name: /Ravi Iyer/ })
  await user.click(within(ravi).getByRole("button", { name: /Ravi Iyer/ }))
  await user.click(await screen.findByRole("menuitem", { name: "Broker statement" }))

  const dialog = await screen.findByRole("dialog", { name: "Broker statement for Ravi Iyer" })
  expect(await within(dialog).findByText("INFY: 10 to 20")).toBeVisible()
  expect(dialog).toHaveTextContent("Looks like a split or a bonus: 2 for 1.")
  expect(dialog).toHaveTextContent("Order 990011 is left out: its updatetime is missing")
  expect(dialog).toHaveTextContent("RELINFRA-BE · NSE25 shares, INE036A01016")
  expect(dialog).toHaveTextContent("Our books: ₹1,00,000.00. Broker: ₹1,50,000.00.")

  changes = []
  await user.click(within(dialog).getByRole("button", { name: "Mark INFY as seen" }))
  await waitFor(() => expect(screen.queryByText("INFY: 10 to 20")).not.toBeInTheDocument())
  expect(seen[0]?.path).toContain("change-1")
})

test("a row opens the client's portfolio", async () => {
  const { user, router } = await open()

  await user.click(screen.getByText("Asha Rao"))

  await waitFor(() => expect(router.state.location.pathname).toBe("/home/client/portfolio"))
  expect(session.get("clientId")).toBe("id-1")
})

test("an empty list is applied once a person confirms it, and left-out rows are named", async () => {
  const doubted = readinessRow({
    _id: "id-4",
    name: "Dev Sen",
    outcome: "DOUBTED",
    reason: "The broker's list of holdings is empty.",
    leftOut: ["Position DHANIYA on NCDEX is left out: its exchange is missing or not usable."],
    problems: ["SYNC", "LEFT_OUT"],
  })
  readinessAnswered([doubted], { total: 1, sync: 1, leftOut: 1 })
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
