import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { pageOf } from "@/testing/clients"
import { sentField } from "@/testing/imports"
import { answer, answerBy, answerWith, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import type { ActionReport, ActionRow } from "./queries"

const path = "/admin/corporate-actions"

const actionRow = (change: Partial<ActionRow> = {}): ActionRow => ({
  _id: "action-1",
  tradingSymbol: "INFY",
  name: "Infosys Ltd.",
  isin: "INE009A01021",
  newIsin: "INE009A01039",
  kind: "SPLIT",
  exOn: "2026-11-20",
  recordOn: "2026-11-20",
  factor: { new: 10, old: 1 },
  amount: null,
  costShare: null,
  payOn: null,
  purpose: "",
  effect: "10 for 1 · new ISIN INE009A01039",
  source: "MANUAL",
  state: "DONE",
  clients: 12,
  waiting: 0,
  enteredAt: "2026-11-18T06:00:00Z",
  ...change,
})

async function open(rows = [actionRow()], role: "ADMIN" | "USER" = "ADMIN", search = "") {
  signedIn(role)
  const calls = answer("get", path, rows, pageOf(rows.length, 20))
  const shown = await showApp(`/home/corporate-actions${search}`, { role })
  return { calls, ...shown }
}

test("a row says what happens and how many clients it touches", async () => {
  await open()

  const row = await screen.findByRole("row", { name: /INFY/ })
  expect(row).toHaveTextContent(
    /20\/11\/2026INFYInfosys Ltd\.Split10 for 1 · new ISIN INE009A01039120.*DoneBy hand/,
  )
})

test("state, stocks and days are in the address and go to the server", async () => {
  const { calls, user, router } = await open()
  await screen.findByRole("row", { name: /INFY/ })

  await user.click(screen.getByRole("button", { name: "Announced" }))
  await user.click(screen.getByRole("button", { name: "Held by clients" }))

  await waitFor(() => {
    const sent = calls.at(-1)!.search
    expect([sent.get("state"), sent.get("held")]).toEqual(["ANNOUNCED", "true"])
  })
  expect(router.state.location.search).toMatchObject({ state: "ANNOUNCED", of: "held" })
})

test("a pending action says how many clients wait, and the undo says what becomes of the shares", async () => {
  const pending = actionRow({ kind: "BONUS", newIsin: null, state: "PENDING", waiting: 3 })
  const { calls, user } = await open([pending])

  expect(await screen.findByRole("row", { name: /INFY/ })).toHaveTextContent(/123.*Pending/)
  await user.click(screen.getByRole("button", { name: "Late" }))
  await waitFor(() => expect(calls.at(-1)!.search.get("state")).toBe("LATE"))
  await user.choose("Actions for Bonus of INFY on 20/11/2026", "Undo")
  const question = await screen.findByRole("dialog", {
    name: "Undo the bonus of INFY on 20/11/2026?",
  })

  expect(question).toHaveTextContent(
    "3 of them wait for shares that are not credited yet: these are no longer counted.",
  )
})

test("an empty list offers the import to an ADMIN, and a USER only reads", async () => {
  await open([], "USER")

  expect(await screen.findByText(/Import NSE's list of corporate actions/)).toBeVisible()
  expect(screen.queryByRole("button", { name: "Import" })).toBeNull()
  expect(screen.queryByRole("button", { name: "Add action" })).toBeNull()
})

test("undoing an action says what comes back, and is asked first", async () => {
  const removed = answerWith("delete", `${path}/:id`, { success: true, message: "Split removed." })
  const { user } = await open()

  await user.choose("Actions for Split of INFY on 20/11/2026", "Undo")
  const question = await screen.findByRole("dialog", {
    name: "Undo the split of INFY on 20/11/2026?",
  })
  expect(question).toHaveTextContent(
    "Holdings, values, tax lots and the follow-up of advice are computed without it again. " +
      "The share has its ISIN INE009A01021 again. 12 clients hold it now. " +
      "The entry stays in the audit trail.",
  )
  expect(removed).toHaveLength(0)
  await user.click(within(question).getByRole("button", { name: "Undo" }))

  await waitFor(() => expect(removed).toHaveLength(1))
})

test("a bonus is entered as people say it, and sent as shares after for shares before", async () => {
  answer("get", "/instruments/search", [
    {
      symbol: "TCS",
      exchange: "NSE",
      name: "Tata Consultancy Services Ltd.",
      isin: "INE467B01029",
      instrumentToken: 2953217,
    },
  ])
  const sent = answer("post", path, actionRow())
  const { user } = await open()
  await user.click(await screen.findByRole("button", { name: "Add action" }))

  await user.click(await screen.findByRole("button", { name: "Save" }))
  expect(await screen.findByText("Please choose a stock")).toBeVisible()
  await user.fill(screen.getByLabelText("Stock"), "tcs")
  await user.click(await screen.findByRole("option", { name: /TCS/ }))
  await user.fill(screen.getByLabelText("Ex-date"), "20-11-2026")
  await user.fill(screen.getByLabelText("New shares"), "3")
  await user.fill(screen.getByLabelText("for shares held"), "4")
  await user.click(screen.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]!.body).toMatchObject({
    isin: "INE467B01029",
    kind: "BONUS",
    exOn: "2026-11-20",
    factor: { new: 7, old: 4 },
    replaces: null,
  })
})

test("a dividend of the exchange's list gets the day on which it is paid", async () => {
  const listed = actionRow({ kind: "DIVIDEND", newIsin: null, factor: { new: 1, old: 1 } })
  const sent = answer("post", path, listed)
  const { user } = await open([{ ...listed, amount: 7.25, source: "NSE" }])
  await user.choose("Actions for Dividend of INFY on 20/11/2026", "Edit")

  await user.fill(await screen.findByLabelText("Payment date (optional)"), "04-12-2026")
  await user.click(screen.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]!.body).toMatchObject({
    kind: "DIVIDEND",
    amount: 7.25,
    payOn: "2026-12-04",
    replaces: "action-1",
  })
})

test("an action is completed by one that replaces it, and a refused field says why", async () => {
  refuse("post", path, 422, "The new ISIN must differ.", [
    { field: "newIsin", message: "The new ISIN must differ from the share's own." },
  ])
  const { user } = await open([actionRow({ newIsin: null, effect: "10 for 1" })])

  await user.choose("Actions for Split of INFY on 20/11/2026", "Edit")
  expect(await screen.findByLabelText("Shares after")).toHaveValue("10")
  await user.fill(screen.getByLabelText("New ISIN (optional)"), "INE009A01021")
  await user.click(screen.getByRole("button", { name: "Save" }))

  expect(await screen.findByText("The new ISIN must differ from the share's own.")).toBeVisible()
})

test("a list is checked first, then imported, with what is left out", async () => {
  const report = (isDryRun: boolean): ActionReport => ({
    fileName: "CF-CA-equities.csv",
    isDryRun,
    canApply: true,
    message: isDryRun ? "1 action to add." : "1 action added.",
    counts: {
      added: 1,
      unchanged: 0,
      removed: 0,
      refused: 0,
      unknown: 1,
      noAction: 0,
      otherSeries: 0,
    },
    rows: [
      {
        line: 2,
        tradingSymbol: "INFY",
        name: "Infosys Ltd.",
        isin: "INE009A01021",
        kind: "BONUS",
        exOn: "2026-11-20",
        recordOn: null,
        effect: "1 new for 1 held",
        purpose: "Bonus 1:1",
        change: "ADDED",
        clients: 3,
      },
    ],
    rowsLeftOut: 0,
    refused: [{ line: 3, text: "NOSUCH", reason: "Unknown stock symbol: NOSUCH." }],
  })
  const calls = answerBy("post", "/admin/imports/corporate-actions", (call) => ({
    success: true,
    message: null,
    data: report(sentField(call.body, "dryRun") === "true"),
  }))
  const { user } = await open([])
  const [importButton] = await screen.findAllByRole("button", { name: "Import" })
  await user.click(importButton!)
  await user.upload(
    await screen.findByLabelText("Drop a file here, or choose one"),
    new File(["SYMBOL\n"], "CF-CA-equities.csv"),
  )

  expect(await screen.findByText("1 action to add.")).toBeVisible()
  expect(screen.getByText("Line 3").parentElement).toHaveTextContent(
    "Unknown stock symbol: NOSUCH.",
  )
  await user.click(screen.getByRole("button", { name: "Apply" }))

  expect(await screen.findByText("Imported. 1 action added.")).toBeVisible()
  expect(calls.map((call) => sentField(call.body, "dryRun"))).toEqual(["true", "false"])
})
