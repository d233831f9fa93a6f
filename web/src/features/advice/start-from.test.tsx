import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, describe, expect, test } from "vitest"
import { asha } from "@/testing/advice-rows"
import { autoOf, meter, openAdvice, targetOf } from "@/testing/advice-screen"
import { constituent, model, modelRow, modelVersion } from "@/testing/models"
import { pageOf } from "@/testing/clients"
import { answer, answerBy } from "@/testing/server"
import { draft } from "./draft"

const undo = "{Control>}z{/Control}"
const targets = () =>
  Object.fromEntries(draft.get().rows.map((row) => [row.tradingSymbol, row.target]))
const start = (name: string) =>
  within(screen.getByRole("group", { name: "Start from" })).getByRole("button", { name })

const stocks = ["INFY", "TCS", "ITC"].map((symbol, place) => ({
  symbol,
  exchange: "NSE",
  name: `${symbol} Limited`,
  isin: `INE00000000${place}`,
  instrumentToken: place + 1,
}))

describe("the targets start from", () => {
  test("what the client holds, in one step with Undo", async () => {
    const { user } = await openAdvice()

    await user.click(start("What the client holds now"))

    expect(targets()).toEqual({ INFY: 6000, TCS: 3000, CASH: 1000 })
    await user.click(screen.getByRole("button", { name: "Undo" }))
    expect(targets()).toEqual({ INFY: null, TCS: null, CASH: null })
    expect(start("The last advice")).toBeVisible()
    await user.keyboard("{Control>}{Shift>}Z{/Shift}{/Control}")
    expect(meter()).toHaveAttribute("aria-valuenow", "100")
    expect(screen.queryByRole("group", { name: "Start from" })).toBeNull()
  })

  test("a model: its stocks are added with a price, holdings outside it have no target", async () => {
    answer("get", "/admin/models", [modelRow()], pageOf(1, 200))
    const version = modelVersion({
      constituents: [constituent("ITC", 50), constituent("INFY", 40)],
    })
    answer("get", "/admin/models/model-1", model({ versions: [version] }))
    const watched = answer("post", "/instruments/add", { ltp: 410 })
    const left = answer("delete", "/instruments/remove", null)
    const { user, set } = await openAdvice()
    await set("TCS", "30")

    await user.choose("Start from", "A model portfolio")
    const dialog = within(await screen.findByRole("dialog", { name: /model/ }))
    await user.selectOptions(await dialog.findByLabelText("Model"), "model-1")
    await user.click(dialog.getByRole("button", { name: "Set targets" }))

    await waitFor(() => expect(targets()).toEqual({ INFY: 4000, TCS: null, ITC: 5000, CASH: 1000 }))
    expect(screen.getByText("Targets set from Large Cap Quality, version 2")).toBeVisible()
    expect(screen.getByText("1 stock was added. 1 holding has no target.")).toBeVisible()
    expect(watched.map((call) => call.body)).toEqual([{ symbolName: "ITC", exchange: "NSE" }])
    expect(screen.getByRole("row", { name: /ITC/ })).toHaveTextContent("410.00")
    await user.keyboard(undo)
    expect(targets()).toEqual({ INFY: null, TCS: 3000, CASH: null })
    await waitFor(() => expect(left).toHaveLength(1))
  })

  test("the last advice", async () => {
    const stock = { symbol: "TCS", exchange: "NSE", isin: "INE2953217", instrumentToken: 2953217 }
    const sent = {
      _id: "a",
      createdAt: "2026-11-18T05:00:00Z",
      stocks: [{ ...stock, allocationPercentage: 12.5 }],
    }
    const calls = answer("get", "/admin/advice/clients/:id", [sent], pageOf(1, 1))
    const { user } = await openAdvice()

    await user.click(start("The last advice"))

    expect(await screen.findByText("Targets set from the advice of 18/11/2026")).toBeVisible()
    expect(targets()).toEqual({ INFY: null, TCS: 1250, CASH: null })
    expect(calls[0]?.path).toBe(`/api/v1/admin/advice/clients/${asha._id}`)
  })

  test("no advice where none was sent", async () => {
    answer("get", "/admin/advice/clients/:id", [], pageOf(0, 1))
    const { user } = await openAdvice()

    await user.click(start("The last advice"))

    expect(await screen.findByText("No advice was sent to C1007 yet.")).toBeVisible()
  })
})

describe("pasted rows", () => {
  beforeEach(() => {
    answerBy("get", "/instruments/search", ({ search }) => ({
      success: true,
      message: null,
      data: stocks.filter(({ symbol }) => symbol === search.get("query")),
    }))
  })

  async function paste(text: string) {
    const { user } = await openAdvice()
    await user.click(start("Pasted rows"))
    const dialog = within(await screen.findByRole("dialog", { name: /pasted rows/ }))
    await user.click(dialog.getByLabelText("One stock per line: symbol and percent"))
    await user.paste(text)
    await user.click(dialog.getByRole("button", { name: "Set targets" }))
    return dialog
  }

  test("set the targets, CASH too", async () => {
    answer("post", "/instruments/add", { ltp: 410 })
    await paste("Symbol\tPercent\nINFY\t60\nitc, 5.25\nCash 10\nTotal\t75.25")

    await waitFor(() => expect(targets()).toEqual({ INFY: 6000, TCS: null, ITC: 525, CASH: 1000 }))
    expect(screen.queryByRole("dialog")).toBeNull()
  })

  test.each([
    ["INFY\t60\nNOSUCH\t5", "Line 2: Unknown stock symbol: NOSUCH."],
    ["INFY\t60\n\nTCS\t41", "Line 3: TCS brings the total to 101.00%."],
    ["INFY\t60\nTCS", "Line 2: TCS has no percent from 0 to 100."],
    ["INFY\t60\nNSE:INFY\t5", "Line 2: INFY is already on line 1."],
    ["60\nINFY\t5", "Line 1: no stock symbol."],
  ])("with a line that cannot be used say which, and change nothing", async (text, fault) => {
    const dialog = await paste(text)

    expect(await dialog.findByText(fault)).toBeVisible()
    expect(targets()).toEqual({ INFY: null, TCS: null, CASH: null })
  })
})

test("Auto for all copies every share, and brings the targets back", async () => {
  const { set, user } = await openAdvice()
  await set("INFY", "25")
  const all = screen.getByRole("switch", { name: "Auto for all" })

  await user.click(all)
  expect(targets()).toEqual({ INFY: 6000, TCS: 3000, CASH: 1000 })
  expect(autoOf("TCS")).toBeChecked()
  await user.click(all)
  expect(targets()).toEqual({ INFY: 2500, TCS: null, CASH: null })
  await user.keyboard(undo + undo)

  expect(targetOf("INFY")).toHaveValue("25.00%")
  expect(autoOf("INFY")).not.toBeChecked()
})
