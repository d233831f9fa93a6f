import { screen, waitFor, within } from "@testing-library/react"
import { expect, test, vi } from "vitest"
import { chooseFile, enveloped, importPath, reportOf, sentField } from "@/testing/imports"
import { answer, answerBy, refuse } from "@/testing/server"

test("a chosen file is checked at once, and what it would change is shown", async () => {
  const calls = answer("post", importPath, reportOf())

  await chooseFile("holdings", "id-1")

  expect(
    await screen.findByText("Kite holdings (CSV) · as on 20/11/2026 · broker ID AB1234"),
  ).toBeVisible()
  expect(sentField(calls[0]!.body, "dryRun")).toBe("true")
  expect(sentField(calls[0]!.body, "clientId")).toBe("id-1")
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
  const calls = answerBy("post", importPath, (call) =>
    enveloped(
      sentField(call.body, "dryRun") === "true"
        ? reportOf()
        : reportOf({ state: "APPLIED", isDryRun: false, message: "Imported." }),
    ),
  )
  const { user, onClose, queryClient } = await chooseFile("holdings", "id-1")
  const refreshed = vi.spyOn(queryClient, "invalidateQueries")

  await user.click(await screen.findByRole("button", { name: "Apply" }))

  expect(await screen.findByText("Imported.")).toBeVisible()
  expect(sentField(calls[1]!.body, "dryRun")).toBe("false")
  expect(sentField(calls[1]!.body, "leaveOutRefused")).toBe("false")
  expect(refreshed).toHaveBeenCalledWith({ queryKey: ["clients"] })
  await user.click(screen.getByRole("button", { name: "Done" }))
  expect(onClose).toHaveBeenCalledOnce()
})

test("refused rows are shown with line and reason, and nothing is applied until they are left out", async () => {
  const refused = [{ line: 7, text: "NOSUCH, 10, 12.5", reason: "Unknown stock symbol: NOSUCH." }]
  const counts = { added: 1, changed: 1, removed: 1, unchanged: 20, refused: 1, clients: 1 }
  const calls = answerBy("post", importPath, (call) => {
    const canApply = sentField(call.body, "leaveOutRefused") === "true"
    return enveloped(reportOf({ refused, counts, canApply }))
  })
  const { user } = await chooseFile("holdings", "id-1")

  const line = (await screen.findByText("Line 7")).parentElement
  expect(line).toHaveTextContent("Unknown stock symbol: NOSUCH.NOSUCH, 10, 12.5")
  expect(screen.getByRole("button", { name: "Apply" })).toBeDisabled()
  await user.click(screen.getByLabelText("Leave out the refused rows"))

  await waitFor(() => expect(screen.getByRole("button", { name: "Apply" })).toBeEnabled())
  expect(screen.getByLabelText("Leave out the refused rows")).toBeChecked()
  await user.click(screen.getByRole("button", { name: "Apply" }))
  await waitFor(() => expect(calls).toHaveLength(3))
  expect(sentField(calls[2]!.body, "dryRun")).toBe("false")
  expect(sentField(calls[2]!.body, "leaveOutRefused")).toBe("true")
})

test("the same file again says that nothing changes", async () => {
  const counts = { added: 0, changed: 0, removed: 0, unchanged: 23, refused: 0, clients: 1 }
  answer("post", importPath, reportOf({ rows: [], counts, message: "23 unchanged." }))

  await chooseFile("holdings", "id-1")

  expect(await screen.findByText("No changes.")).toBeVisible()
  expect(screen.queryByRole("table")).toBeNull()
})

test("an unreadable file shows the server's message, and another can be chosen", async () => {
  refuse("post", importPath, 422, '"holdings.csv" is not a file that is known here.')

  await chooseFile("holdings", "id-1")

  expect(await screen.findByRole("alert")).toHaveTextContent(
    '"holdings.csv" is not a file that is known here.',
  )
  expect(screen.getByLabelText("Drop a file here, or choose one")).toBeEnabled()
})

test("a firm-wide file names the clients, and their cash before and after", async () => {
  const cash = [{ clientId: "C0001", clientName: "Asha Rao", before: 100, after: 250.5 }]
  const calls = answer("post", importPath, reportOf({ cash, kindName: "Firm-wide holdings (CSV)" }))

  await chooseFile("holdings")

  expect(await screen.findByRole("columnheader", { name: "Client" })).toBeVisible()
  expect(sentField(calls[0]!.body, "clientId")).toBeUndefined()
  expect(screen.getByText(/Asha Rao: /)).toHaveTextContent("Asha Rao: ₹100.00→₹250.50")
})
