import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, test } from "vitest"
import { session } from "@/api/session"
import { report } from "@/live/progress"
import { pageOf } from "@/testing/clients"
import { clientInRun, run, runClient, runClients } from "@/testing/book-runs"
import { answer, answerBy, answerWith, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import type { Run, RunClient } from "./types"

const runPath = "/admin/book-runs/:id"

async function open({
  shown = run(),
  rows = runClients,
  search = "",
}: { shown?: Run; rows?: RunClient[]; search?: string } = {}) {
  signedIn()
  const runs = answer("get", runPath, shown)
  const calls = answerBy("get", `${runPath}/clients`, ({ search: question }) => {
    const included = question.get("included")
    const tile = question.get("tile")
    const matchingRows = rows.filter(
      (row) =>
        (included === null || String(row.isIncluded) === included) &&
        (tile === null || row.tile === tile),
    )
    return { success: true, message: null, data: matchingRows, ...pageOf(matchingRows.length, 100) }
  })
  const app = await showApp(`/home/models/book/run-1${search}`, { role: "ADMIN" })
  await screen.findByText("Large Cap Quality")
  return { runs, calls, ...app }
}

const tile = (name: RegExp) =>
  within(screen.getByRole("group", { name: "Show clients" })).getByRole("button", { name })
const dialog = (name: string) => screen.findByRole("dialog", { name })

describe("in review", () => {
  test("tiles count the clients, and a click shows only theirs", async () => {
    const { user, calls, router } = await open()
    await screen.findByRole("row", { name: /Asha Rao/ })

    expect(tile(/^All/)).toHaveTextContent("4")
    expect(tile(/^Ready/)).toHaveTextContent("2")
    expect(tile(/^Stale data/)).toHaveTextContent("0")
    await user.click(tile(/^Needs cash/))

    await waitFor(() => expect(calls.at(-1)?.search.get("tile")).toBe("NEEDS_CASH"))
    expect(router.state.location.search).toMatchObject({ show: "NEEDS_CASH" })
    await waitFor(() => expect(screen.queryByRole("row", { name: /Asha/ })).not.toBeInTheDocument())
    expect(screen.getByRole("row", { name: /Meera Shah/ })).toHaveTextContent("Needs cash")
  })

  test("the tile of clients not computed is shown only when there are some", async () => {
    const plain = run()
    const { unmount } = await open()
    expect(tile(/^All/)).toBeVisible()
    expect(screen.queryByRole("button", { name: /^Not computed/ })).toBeNull()
    unmount()

    const tiles = plain.tiles.map((each) =>
      each.tile === "FAULT" ? { ...each, clients: 1 } : each,
    )
    await open({ shown: run({ tiles }) })

    expect(tile(/^Not computed/)).toHaveTextContent("1")
  })

  test("the totals count only the included clients", async () => {
    await open()

    expect(screen.getByRole("group", { name: "Included" })).toHaveTextContent("2of 4 clients")
    expect(screen.getByRole("group", { name: "To buy" })).toHaveTextContent("₹90,000.00")
    expect(screen.getByRole("group", { name: "To sell" })).toHaveTextContent("₹40,000.00")
    expect(screen.getByRole("group", { name: "Orders" })).toHaveTextContent("7")
  })

  test("a client is left out only with a reason", async () => {
    const { user } = await open()
    const put = answer("put", `${runPath}/clients/:client`, runClient({ isIncluded: false }))
    await user.click(await screen.findByRole("switch", { name: "Send to Asha Rao" }))
    const question = within(await dialog("Leave out Asha Rao"))

    await user.click(question.getByRole("button", { name: "Leave out" }))
    expect(question.getByText("A reason is required")).toBeVisible()
    expect(put).toHaveLength(0)
    await user.fill(question.getByLabelText("Reason"), " Asked to wait ")
    await user.click(question.getByRole("button", { name: "Leave out" }))

    await waitFor(() => expect(put).toHaveLength(1))
    expect(put[0]?.path).toContain("id-1")
    expect(put[0]?.body).toEqual({ isIncluded: false, note: "Asked to wait" })
    await waitFor(() => expect(screen.queryByLabelText("Reason")).not.toBeInTheDocument())
  })

  test("a client that is not ready is included with a reason, after a warning", async () => {
    const { user } = await open()
    const put = answer("put", `${runPath}/clients/:client`, runClient())

    await user.click(await screen.findByRole("switch", { name: "Send to Meera Shah" }))
    const question = within(await dialog("Include Meera Shah"))

    expect(question.getByText("₹25,000.00 must be added.")).toBeVisible()
    await user.fill(question.getByLabelText("Reason"), "Funds are on their way")
    await user.keyboard("{Enter}")
    await waitFor(() =>
      expect(put[0]?.body).toEqual({ isIncluded: true, note: "Funds are on their way" }),
    )
  })

  test("a client that cannot be sent cannot be included", async () => {
    await open()

    expect(await screen.findByRole("switch", { name: "Send to Zoya Khan" })).toBeDisabled()
  })

  test("a whole tile is included at once", async () => {
    const { user } = await open({ search: "?show=NEEDS_CASH" })
    const put = answer("put", `${runPath}/tiles/:tile`, run())

    await user.click(await screen.findByRole("button", { name: "Include all 1" }))
    const question = within(await dialog("Include 1 client"))
    await user.fill(question.getByLabelText("Reason"), "Agreed")
    await user.keyboard("{Enter}")

    await waitFor(() => expect(put[0]?.path).toContain("NEEDS_CASH"))
    expect(put[0]?.body).toEqual({ isIncluded: true, note: "Agreed" })
  })

  test("a client opens in a drawer, and the address names it", async () => {
    const { user, router } = await open()
    answer("get", `${runPath}/clients/:client`, clientInRun())

    await user.click(await screen.findByText("Asha Rao"))

    const drawer = within(await dialog("Rebalance of Asha Rao"))
    expect(drawer.getByRole("list", { name: "Before and after" })).toHaveTextContent(
      "Overweight: 52 % against a target of 50 %. Sell 14, leaves 49.98 %",
    )
    expect(drawer.getByRole("row", { name: /INFY/ })).toHaveTextContent("₹21,000.00")
    expect(drawer.queryByRole("row", { name: /TCS/ })).not.toBeInTheDocument()
    expect(router.state.location.search).toMatchObject({ client: "id-1" })
    await user.click(drawer.getByRole("button", { name: "Close" }))
    await waitFor(() => expect(router.state.location.search).not.toHaveProperty("client", "id-1"))
  })

  test("drafts of advice are not open to a USER", async () => {
    signedIn("USER")

    const { router } = await showApp("/home/models/book/run-1", { role: "USER" })

    expect(router.state.location.pathname).toBe("/home/dashboard")
  })
})

describe("the computing", () => {
  test("shows the progress from the socket, and no tiles before the end", async () => {
    await open({ shown: run({ state: "COMPUTING", tiles: [], pricedAt: null }) })
    expect(screen.queryByRole("group", { name: "Show clients" })).not.toBeInTheDocument()

    report({ id: "run-1", step: "Computing", done: 12, total: 40, state: "COMPUTING" })

    expect(await screen.findByText("12 of 40")).toBeVisible()
  })

  test("that failed says why", async () => {
    await open({ shown: run({ state: "FAILED", error: "No price feed.", tiles: [] }) })

    expect(screen.getByRole("alert")).toHaveTextContent("No price feed.")
  })
})

describe("the sending", () => {
  const sending = run({
    state: "SENDING",
    sending: { total: 2, queued: 1, sent: 1, changed: 0, failed: 0 },
  })

  test("shows the run's own progress, as after a reload", async () => {
    await open({ shown: sending })

    expect(screen.getByRole("progressbar", { name: "Sending advice" })).toHaveAttribute(
      "aria-valuenow",
      "1",
    )
    expect(screen.getByText("1 of 2")).toBeVisible()
  })

  test("is stopped after a confirmation", async () => {
    const { user } = await open({ shown: sending })
    const cancelled = answer("post", `${runPath}/cancel`, run({ state: "CANCELLED" }))

    await user.click(screen.getByRole("button", { name: "Stop" }))
    const question = within(await dialog("Stop sending?"))
    expect(question.getByText(/1 of 2 are already sent/)).toBeVisible()
    await user.click(question.getByRole("button", { name: "Stop" }))

    await waitFor(() => expect(cancelled).toHaveLength(1))
  })

  test("ends in a report: failures in words, and a way to each advice", async () => {
    const rows = [
      runClient({ state: "SENT", adviceId: "advice-1", sentAt: "2026-11-21T05:10:00Z" }),
      runClient({
        _id: "id-2",
        clientId: "C0002",
        name: "Ravi Iyer",
        state: "FAILED",
        error: "The client is no longer active.",
      }),
    ]
    const done = { total: 2, queued: 0, sent: 1, changed: 0, failed: 1 }
    const { user, router } = await open({ shown: run({ state: "DONE", sending: done }), rows })
    answerWith("get", "/admin/advice/clients/:id", { success: true, data: [], ...pageOf(0) })
    answer("get", "/admin/clients/client/:id/profile", {})

    expect(await screen.findByRole("row", { name: /Ravi Iyer/ })).toHaveTextContent(
      "The client is no longer active.",
    )
    expect(tile(/^Failed/)).toHaveTextContent("1")
    expect(tile(/^Left out/)).toHaveTextContent("2")
    await user.choose("Actions for Asha Rao", "Open advice")

    await waitFor(() => expect(router.state.location.pathname).toBe("/home/client/advice-history"))
    expect(session.get("clientId")).toBe("id-1")
  })
})

test("an unknown run leads back to the list", async () => {
  signedIn()
  refuse("get", runPath, 404, "Not found")

  await showApp("/home/models/book/run-9", { role: "ADMIN" })

  expect(await screen.findByText("This rebalance does not exist.")).toBeVisible()
  expect(screen.getByRole("button", { name: "Go to Rebalance the book" })).toBeVisible()
})
