import { screen, waitFor } from "@testing-library/react"
import { expect, onTestFinished, test, vi } from "vitest"
import { adviceAnswered, asha, ashaHoldings } from "@/testing/advice-rows"
import { byCode, codeField, openAdvice, targetOf } from "@/testing/advice-screen"
import drafted from "@/testing/drafted-follow-up.json"
import { answer, breakOff, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { draft, type EarlierDraft, workOf } from "./draft"
import { rowsOf } from "./holdings"

const path = "/admin/advice/drafts/:id"

/** A draft with a target for INFY that another device saved, when the client held 40 INFY and 5 ITC. */
function savedElsewhere(change: Partial<EarlierDraft> = {}) {
  const [infy, ...others] = rowsOf(ashaHoldings)
  const itc = { ...infy!, tradingSymbol: "ITC", isin: "INEITC", instrumentToken: 9, quantity: 5 }
  const held = [{ ...infy!, quantity: 30 }, itc, ...others.filter((row) => row.amount !== null)]
  const rows = held.map((row) => (row === held[0] ? { ...row, target: 4200 } : row))
  const content = { ...workOf(draft.get()), rows, held, editedAt: "2026-11-20T05:02:00Z" }
  return answer("get", path, {
    version: 3,
    schemaVersion: 1,
    changedAt: "2026-11-20T05:02:01Z",
    content: { ...content, ...change },
  })
}

async function openSaved() {
  adviceAnswered()
  const app = await showApp("/home/advice", { role: "ADMIN" })
  await app.user.fill(codeField(), "c1007")
  await screen.findByText(/^There is a saved draft from/)
  return app
}

test("a change is saved on the server, in place of the version before", async () => {
  const saves = answer("put", path, { version: 1, changedAt: "2026-11-20T10:00:00Z" })
  const { set } = await openAdvice()
  await set("INFY", "42")

  await waitFor(() => expect(saves).toHaveLength(1))
  expect(await screen.findByText(/^Draft saved \d\d:\d\d$/)).toBeVisible()
  expect(saves[0]?.path).toBe(`/api/v1/admin/advice/drafts/${asha._id}`)
  expect(saves[0]?.body).toMatchObject({
    version: null,
    schemaVersion: 1,
    content: { investment: 100_000, rows: [{ tradingSymbol: "INFY", target: 4200 }, {}, {}] },
  })
  await set("TCS", "7")
  await waitFor(() => expect(saves).toHaveLength(2))
  expect(saves[1]?.body).toMatchObject({ version: 1 })
})

test("a draft of another device is offered, and says what changed in the holdings", async () => {
  savedElsewhere()
  const { user } = await openSaved()

  await user.click(screen.getByRole("button", { name: "Restore" }))

  expect(targetOf("INFY")).toHaveValue("42.00%")
  expect(
    await screen.findByText(
      "The holdings changed since this draft was written. New: TCS. No longer held: ITC. " +
        "Other quantity: INFY 30 → 40.",
    ),
  ).toBeVisible()
  expect(targetOf("TCS")).toHaveValue("")
  expect(screen.getByRole("cell", { name: "40" })).toBeVisible()
})

test("a follow-up that the server drafted is offered with its advice, and restored", async () => {
  // Of another day than the draft, whose time alone would be shown on its own day.
  vi.useFakeTimers({ now: new Date("2026-11-28T06:00:00Z"), toFake: ["Date"] })
  onTestFinished(() => void vi.useRealTimers())
  answer("get", path, drafted)
  answer("put", path, { version: 2, changedAt: "2026-11-27T11:00:00Z" })
  adviceAnswered()
  const { user } = await showApp("/home/advice", { role: "ADMIN" })
  await user.fill(codeField(), "c1007")
  expect(
    await screen.findByText(
      "What is left of the advice of 20/11/2026 was drafted 27/11/2026 16:06 IST.",
    ),
  ).toBeVisible()

  await user.click(screen.getByRole("button", { name: "Restore" }))

  expect(targetOf("RELIANCE")).toHaveValue("30.00%")
  expect(targetOf("INFY")).toHaveValue("")
  expect(screen.getByLabelText("Investment Value")).toHaveValue("₹5,05,940")
})

test("a draft that cannot be read is not offered", async () => {
  savedElsewhere({ rows: "none" as never })
  await openAdvice()

  await new Promise((rest) => setTimeout(rest, 200))
  expect(screen.queryByText(/^There is a saved draft/)).toBeNull()
})

test("a discarded draft is dropped on the server too", async () => {
  savedElsewhere()
  const dropped = answer("delete", path, null)
  const { user } = await openSaved()

  await user.click(screen.getByRole("button", { name: "Discard" }))

  await waitFor(() => expect(dropped).toHaveLength(1))
  expect(screen.queryByText(/^There is a saved draft/)).toBeNull()
})

test("the current draft can be discarded, and the client is loaded again", async () => {
  const dropped = answer("delete", path, null)
  const { set, user } = await openAdvice()
  await set("INFY", "42")

  await user.click(screen.getByRole("button", { name: "Discard draft" }))
  await user.click(await screen.findByRole("button", { name: "Discard" }))

  await waitFor(() => expect(dropped).toHaveLength(1))
  expect(await screen.findByLabelText("Target Allocation of INFY")).toHaveValue("")
  expect(draft.get()).toMatchObject({ editedAt: null, earlier: {} })
})

test("a draft that another device saved meanwhile is offered, not overwritten", async () => {
  const { set } = await openAdvice()
  savedElsewhere()
  refuse("put", path, 409, "This record was changed by someone else. Reload and try again.")

  await set("INFY", "7")

  expect(await screen.findByText(/^There is a saved draft from/)).toBeVisible()
  expect(targetOf("INFY")).toHaveValue("7.00%")
})

test("the draft of a client deleted meanwhile says so", async () => {
  refuse("put", path, 404, "Client not found")
  const { set } = await openAdvice()

  await set("INFY", "7")

  expect(await screen.findByText("C1007 was deleted. The draft cannot be saved.")).toBeVisible()
})

test("without a network the draft stays in this tab and says so", async () => {
  breakOff("put", path)
  const { set } = await openAdvice()

  await set("INFY", "7")

  expect(await screen.findByText("Draft saved in this tab only")).toBeVisible()
  expect(sessionStorage.getItem("tarazu.advice")).toContain('"target":700')
})

test("another code saves the draft of the client that is left", async () => {
  const saves = answer("put", path, { version: 1, changedAt: "2026-11-20T10:00:00Z" })
  const { set, user } = await openAdvice()
  await set("INFY", "42")
  answer("get", byCode, { ...ashaHoldings, user: { _id: "id-of-ravi", name: "Ravi Shah" } })

  await user.type(codeField(), "{Backspace}8")

  await waitFor(() => expect(saves).toHaveLength(1))
  expect(saves[0]?.path).toContain(asha._id)
})
