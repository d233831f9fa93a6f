import { screen, waitFor, within } from "@testing-library/react"
import { afterEach, expect, test, vi } from "vitest"
import { report as tellProgress } from "@/live/progress"
import { answer, answerBy, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { toasts } from "@/ui/toast"
import type { ImportReport } from "./import-calls"
import { ImportHoldings } from "./import-holdings"

const path = "/admin/clients/import"
const file = new File(["Instrument,Qty.,Avg. cost\n"], "holdings.csv", { type: "text/csv" })

const reportOf = (change: Partial<ImportReport> = {}): ImportReport => ({
  _id: "import-1",
  state: "CHECKED",
  kind: "KITE_HOLDINGS_CSV",
  kindName: "Kite holdings (CSV)",
  fileName: "holdings.csv",
  asOn: "2026-11-20",
  brokerClientId: "AB1234",
  isDryRun: true,
  step: "Done",
  done: 3,
  total: 3,
  message: "1 added, 1 changed, 1 removed, 20 unchanged.",
  counts: { added: 1, changed: 1, removed: 1, unchanged: 20, refused: 0, clients: 1 },
  rows: [
    rowOf("WIPRO", "ADDED", [null, 40], [null, 512.35], 2),
    rowOf("INFY", "CHANGED", [20, 35], [1200, 1250.5], 3),
    rowOf("ITC", "REMOVED", [15, null], [410, null], null),
  ],
  rowsLeftOut: 0,
  cash: [],
  refused: [],
  warnings: [{ line: 4, text: "Its price is 40% off the last one." }],
  leftOut: ["Mutual funds (2 rows)"],
  canApply: true,
  ...change,
})

function rowOf(
  tradingSymbol: string,
  change: ImportReport["rows"][number]["change"],
  quantities: [number | null, number | null],
  prices: [number | null, number | null],
  line: number | null,
): ImportReport["rows"][number] {
  return {
    line,
    clientId: "C0001",
    clientName: "Asha Rao",
    tradingSymbol,
    name: `${tradingSymbol} Ltd`,
    isin: `INE-${tradingSymbol}`,
    change,
    quantityBefore: quantities[0],
    quantityAfter: quantities[1],
    averagePriceBefore: prices[0],
    averagePriceAfter: prices[1],
  }
}

afterEach(() => vi.useRealTimers())

const enveloped = (report: ImportReport) => ({ success: true, message: null, data: report })
const field = (body: unknown, name: string) =>
  new RegExp(`name="${name}"\\r\\n\\r\\n([^\\r]*)`).exec(String(body))?.[1]

async function choose(clientId?: string, chosen = file) {
  const onClose = vi.fn()
  const shown = await show(<ImportHoldings clientId={clientId} onClose={onClose} />)
  await shown.user.upload(screen.getByLabelText("Drop a file here, or choose one"), chosen)
  return { ...shown, onClose }
}

test("a chosen file is checked at once, and what it would change is shown", async () => {
  const calls = answer("post", path, reportOf())

  await choose("id-1")

  expect(
    await screen.findByText("Kite holdings (CSV) · as on 20/11/2026 · broker ID AB1234"),
  ).toBeVisible()
  expect(field(calls[0]!.body, "dryRun")).toBe("true")
  expect(field(calls[0]!.body, "clientId")).toBe("id-1")
  const rows = within(screen.getByRole("table")).getAllByRole("row").slice(1)
  expect(rows.map((row) => row.textContent)).toEqual([
    "WIPROADDED40512.352",
    "INFYCHANGED20→351,200.00→1,250.503",
    "ITCREMOVED15→0410.00-",
  ])
  expect(screen.getByText("Line 4").parentElement).toHaveTextContent(
    "Its price is 40% off the last one.",
  )
  expect(screen.getByText("Mutual funds (2 rows)")).toBeVisible()
})

test("Apply sends the file again and shows the result", async () => {
  const calls = answerBy("post", path, (call) =>
    enveloped(
      field(call.body, "dryRun") === "true"
        ? reportOf()
        : reportOf({ state: "APPLIED", isDryRun: false, message: "Imported." }),
    ),
  )
  const { user, onClose, queryClient } = await choose("id-1")
  const refreshed = vi.spyOn(queryClient, "invalidateQueries")

  await user.click(await screen.findByRole("button", { name: "Apply" }))

  expect(await screen.findByText("Imported.")).toBeVisible()
  expect(field(calls[1]!.body, "dryRun")).toBe("false")
  expect(field(calls[1]!.body, "leaveOutRefused")).toBe("false")
  expect(refreshed).toHaveBeenCalledWith({ queryKey: ["clients"] })
  await user.click(screen.getByRole("button", { name: "Done" }))
  expect(onClose).toHaveBeenCalledOnce()
})

test("refused rows stand with line and reason, and nothing is applied until they are left out", async () => {
  const refused = [
    { line: 7, text: "NOSUCH, 10, 12.5", reason: "NOSUCH is not among the known instruments." },
  ]
  const counts = { added: 1, changed: 1, removed: 1, unchanged: 20, refused: 1, clients: 1 }
  const calls = answerBy("post", path, (call) => {
    const canApply = field(call.body, "leaveOutRefused") === "true"
    return enveloped(reportOf({ refused, counts, canApply }))
  })
  const { user } = await choose("id-1")

  const line = (await screen.findByText("Line 7")).parentElement
  expect(line).toHaveTextContent("NOSUCH is not among the known instruments.NOSUCH, 10, 12.5")
  expect(screen.getByRole("button", { name: "Apply" })).toBeDisabled()
  await user.click(screen.getByLabelText("Leave out the refused rows"))

  await waitFor(() => expect(screen.getByRole("button", { name: "Apply" })).toBeEnabled())
  expect(screen.getByLabelText("Leave out the refused rows")).toBeChecked()
  await user.click(screen.getByRole("button", { name: "Apply" }))
  await waitFor(() => expect(calls).toHaveLength(3))
  expect(field(calls[2]!.body, "dryRun")).toBe("false")
  expect(field(calls[2]!.body, "leaveOutRefused")).toBe("true")
})

test("the same file again says that nothing changes", async () => {
  const counts = { added: 0, changed: 0, removed: 0, unchanged: 23, refused: 0, clients: 1 }
  answer("post", path, reportOf({ rows: [], counts, message: "23 unchanged." }))

  await choose("id-1")

  expect(await screen.findByText("Nothing changes.")).toBeVisible()
  expect(screen.queryByRole("table")).toBeNull()
})

test("a file that cannot be read is refused in the server's words, and another can be chosen", async () => {
  refuse("post", path, 422, '"holdings.csv" is not a holdings file that is known here.')

  await choose("id-1")

  expect(await screen.findByRole("alert")).toHaveTextContent(
    '"holdings.csv" is not a holdings file that is known here.',
  )
  expect(screen.getByLabelText("Drop a file here, or choose one")).toBeEnabled()
})

test("a firm-wide file names the clients, and their cash before and after", async () => {
  const cash = [{ clientId: "C0001", clientName: "Asha Rao", before: 100, after: 250.5 }]
  const calls = answer("post", path, reportOf({ cash, kindName: "Firm-wide holdings (CSV)" }))

  await choose(undefined)

  expect(await screen.findByRole("columnheader", { name: "Client" })).toBeVisible()
  expect(field(calls[0]!.body, "clientId")).toBeUndefined()
  expect(screen.getByText(/Asha Rao: /)).toHaveTextContent("Asha Rao: ₹100.00→₹250.50")
})

test("long work shows how far it is, as the server and then the socket tell it", async () => {
  const running = reportOf({ state: "RUNNING", step: "Checking", done: 1200, total: 6000 })
  answer("post", path, running)
  let isDone = false
  answerBy("get", "/admin/imports/import-1", () => enveloped(isDone ? reportOf() : running))
  await choose("id-1")
  const bar = await screen.findByRole("progressbar")
  expect(bar).toHaveAttribute("aria-valuenow", "1200")

  tellProgress({ id: "import-1", step: "Checking", done: 4800, total: 6000, state: "RUNNING" })

  expect(await screen.findByText("4,800 of 6,000")).toBeVisible()
  isDone = true
  expect(await screen.findByRole("button", { name: "Apply" }, { timeout: 3000 })).toBeEnabled()
})

test("work that goes on after the dialog is closed reports in a toast", async () => {
  const running = reportOf({ state: "RUNNING", step: "Applying", isDryRun: false })
  answerBy("post", path, (call) =>
    enveloped(field(call.body, "dryRun") === "true" ? reportOf() : running),
  )
  answer(
    "get",
    "/admin/imports/import-1",
    reportOf({ state: "APPLIED", isDryRun: false, message: "3 changed." }),
  )
  const { user, unmount } = await choose("id-1")
  await user.click(await screen.findByRole("button", { name: "Apply" }))
  await screen.findByRole("progressbar")

  unmount()

  await waitFor(() => expect(toasts.get().map((toast) => toast.message)).toEqual(["3 changed."]), {
    timeout: 3000,
  })
})

test("a work that failed says why", async () => {
  answer(
    "post",
    path,
    reportOf({ state: "FAILED", canApply: false, message: "The server was stopped." }),
  )

  await choose("id-1")

  expect(await screen.findByText("The server was stopped.")).toBeVisible()
  expect(screen.queryByRole("button", { name: "Apply" })).toBeNull()
  expect(screen.getByRole("button", { name: "Choose another file" })).toBeVisible()
})
