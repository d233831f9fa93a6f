import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { chooseClient } from "@/api/session"
import { answerFile, watchDownloads } from "@/testing/downloads"
import { sentField } from "@/testing/imports"
import { answer, answerBy, answerWith, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { cellsOf } from "@/testing/tables"
import { disposal, gainsOf, lotEntry, lotRow, lotsOf } from "@/testing/tax"
import type { HighReport } from "./queries"
import { TaxTab } from "./tax-tab"

const client = "/admin/clients/client/id-1"

beforeEach(() => {
  chooseClient("id-1", "C0001")
})

async function open(gains = gainsOf(), lots = lotsOf()) {
  const calls = answer("get", `${client}/gains`, gains)
  answer("get", `${client}/lots`, lots)
  const years: string[] = []
  const shown = await show(
    <TaxTab
      year="2026-27"
      onYear={(year) => years.push(year)}
      importTradebook={() => <p>The import of a tradebook</p>}
    />,
  )
  return { calls, years, ...shown }
}

const region = (name: string) => screen.findByRole("region", { name })

test("the cards show the sums, the better way of set-off and the exemption", async () => {
  const { calls } = await open()

  const tax = await screen.findByRole("group", { name: "Tax after set-off" })
  await waitFor(() => expect(tax).toHaveTextContent("₹37,050.00"))
  expect(tax).toHaveTextContent("Better: short-term loss against short-term gains first")
  expect(screen.getByRole("group", { name: "Short-term" })).toHaveTextContent(
    "+₹1,00,000.00Gains ₹2,00,000.00, losses ₹1,00,000.00",
  )
  expect(screen.getByRole("group", { name: "Exemption used" })).toHaveTextContent(
    "₹1,25,000.00₹0.00 unused of ₹1,25,000.00",
  )
  expect(screen.getByText("Arithmetic, not tax advice.")).toBeVisible()
  expect(calls[0]!.search.get("year")).toBe("2026-27")
})

test("a year of two rates has no tax, and says so", async () => {
  await open(gainsOf({ tax: null, usedExemption: null, unusedExemption: null }))

  const tax = await screen.findByRole("group", { name: "Tax after set-off" })
  await waitFor(() =>
    expect(tax).toHaveTextContent("-Not worked out: the rates changed within this year"),
  )
})

test("a sale is a row, and one that is not known has its reason and no figure", async () => {
  await open(
    gainsOf({
      disposals: [
        disposal(),
        disposal({
          tradingSymbol: "TCS",
          boughtOn: null,
          term: null,
          proceeds: null,
          cost: null,
          gain: null,
          reason: "NO_PURCHASE",
          reasonText: "The purchase is not known.",
        }),
      ],
      unknownDisposals: 1,
    }),
  )

  const sales = within(await region("Realised gains"))
  expect(cellsOf(await sales.findByRole("row", { name: /INFY/ }))).toMatch(
    /^INFY \| 01\/07\/2026 \| 03\/01\/2024 \| 10 \| Long-term \| ₹16,000.00 \| ₹10,000.00 \| \+₹6,000.00/,
  )
  expect(cellsOf(sales.getByRole("row", { name: /TCS/ }))).toMatch(
    /^TCS \| 01\/07\/2026 \| - \| 10 \| - \| - \| - \| Not known. The purchase is not known./,
  )
  expect(screen.getByText(/^1 sale is not known: in no sum below/)).toBeVisible()
})

test("an open lot has its source and the days until it is long-term", async () => {
  await open(
    gainsOf(),
    lotsOf([
      lotRow(),
      lotRow({ source: "BONUS", isLongTerm: true, daysToLongTerm: 0, known: false, cost: null }),
    ]),
  )

  const lots = within(await region("Open lots"))
  const [first, second] = (await lots.findAllByRole("row", { name: /INFY/ })).map(cellsOf)
  expect(first).toMatch(/^INFY \| 03\/06\/2026 \| 8 \| ₹12,000.00 \| Trade \| 196 days/)
  expect(second).toMatch(/^INFY \| 03\/06\/2026 \| 8 \| - \| Bonus \| Long-term/)
})

test("harvestable losses are listed", async () => {
  const loss = { isin: "INE009A01021", tradingSymbol: "INFY", quantity: 8, gain: -4_000 }
  await open(gainsOf({ harvestable: [loss] }))

  const losses = within(await region("Harvestable losses"))
  expect(cellsOf(await losses.findByRole("row", { name: /INFY/ }))).toBe("INFY | 8 | -₹4,000.00")
})

const unknown = {
  isin: "INE467B01029",
  tradingSymbol: "TCS",
  quantity: 10,
  lotQuantity: 6,
  reason: "NOT_MATCHED" as const,
  reasonText: "The lots do not add up to the shares at the broker.",
}

test("stocks that are not known offer the tradebook, and their lot by hand", async () => {
  const sent = answer("post", `${client}/lots`, lotEntry())
  const { user } = await open(gainsOf({ unknownStocks: [unknown] }))

  const card = within(await region("Lots not known"))
  expect(cellsOf(card.getByRole("row", { name: /TCS/ }))).toContain(
    "TCS | 10 | 6 | The lots do not add up",
  )
  await user.click(card.getByRole("button", { name: "Import tradebook" }))
  expect(await screen.findByText("The import of a tradebook")).toBeVisible()
  await user.click(card.getByRole("button", { name: "Enter lot of TCS" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Enter lot" }))
  await user.click(dialog.getByRole("button", { name: "Save" }))
  expect(dialog.getByText("Please enter a whole number of shares")).toBeVisible()
  expect(dialog.getByText("Please select a valid date")).toBeVisible()
  await user.fill(dialog.getByLabelText("Shares"), "4")
  await user.fill(dialog.getByLabelText("Bought on"), "04-05-2020")
  await user.fill(dialog.getByLabelText("Cost of all shares"), "2800")
  await user.click(dialog.getByRole("button", { name: "Save" }))

  await waitFor(() => expect(sent).toHaveLength(1))
  expect(sent[0]!.body).toEqual({
    kind: "BOUGHT",
    isin: "INE467B01029",
    quantity: 4,
    boughtOn: "2020-05-04",
    movedOn: null,
    amount: 2800,
    demat: "",
  })
})

test("an entry is changed, and removed after a question", async () => {
  const changed = answer("put", `${client}/lots/entry-1`, lotEntry())
  const removed = answerWith("delete", `${client}/lots/entry-1`, { success: true, message: "" })
  const { user } = await open(gainsOf(), lotsOf([], [lotEntry()]))

  await user.choose("Actions for INFY, 3 shares", "Edit")
  const dialog = within(await screen.findByRole("dialog", { name: "Edit lot" }))
  await user.refill(dialog.getByLabelText("Shares"), "5")
  await user.click(dialog.getByRole("button", { name: "Save" }))
  await waitFor(() => expect(changed[0]?.body).toMatchObject({ quantity: 5, amount: 2100 }))

  await user.choose("Actions for INFY, 3 shares", "Remove")
  const question = await screen.findByRole("dialog", {
    name: "Remove the entry of INFY, 3 shares?",
  })
  expect(removed).toHaveLength(0)
  await user.click(within(question).getByRole("button", { name: "Remove" }))
  await waitFor(() => expect(removed).toHaveLength(1))
})

test("what the server refuses of an entry is said at its field", async () => {
  refuse("post", `${client}/lots`, 422, "Enter a valid ISIN.", [
    { field: "quantity", message: "Too many shares." },
  ])
  const { user } = await open(gainsOf({ unknownStocks: [unknown] }))

  await user.click(await screen.findByRole("button", { name: "Enter lot of TCS" }))
  const dialog = within(await screen.findByRole("dialog", { name: "Enter lot" }))
  await user.fill(dialog.getByLabelText("Shares"), "4")
  await user.fill(dialog.getByLabelText("Bought on"), "04-05-2020")
  await user.click(dialog.getByRole("button", { name: "Save" }))

  expect(await dialog.findByText("Too many shares.")).toBeVisible()
})

test("the class of income is saved when it is chosen", async () => {
  const sent = answer("put", `${client}/tax-class`, { income: "UP_TO_1_CRORE", version: 1 })
  const { user } = await open()
  const field = await screen.findByLabelText("Income class")
  await waitFor(() => expect(field).toBeEnabled())
  expect(field).toHaveDisplayValue("Not stated (30% slab, no surcharge)")

  await user.selectOptions(field, "₹50 lakh to ₹1 crore")

  await waitFor(() => expect(sent[0]?.body).toEqual({ income: "UP_TO_1_CRORE", version: 0 }))
})

test("the year is chosen, and the statement saved as a PDF", async () => {
  const names = watchDownloads()
  const asked = answerFile(`${client}/gains/statement.pdf`, "gains-C0001-2026-27.pdf")
  const { user, years } = await open()

  await user.click(await screen.findByRole("button", { name: "Statement" }))
  await waitFor(() => expect(names).toEqual(["gains-C0001-2026-27.pdf"]))
  expect(new URL(asked[0]!.url).searchParams.get("year")).toBe("2026-27")
  await user.selectOptions(screen.getByLabelText("Tax year"), "2025-26")

  expect(years).toEqual(["2025-26"])
})

test("highs are checked first, then imported, with what is left out", async () => {
  const noHigh = { ...unknown, reason: "NO_HIGH" as const, reasonText: "Bought before 2018." }
  const report = (isDryRun: boolean): HighReport => ({
    fileName: "highs.csv",
    isDryRun,
    canApply: true,
    message: isDryRun ? "1 price to add." : "1 price added.",
    counts: { added: 1, unchanged: 0, refused: 1, otherSeries: 0 },
    rows: [{ line: 2, isin: "INE467B01029", tradingSymbol: "TCS", high: 3126 }],
    rowsLeftOut: 0,
    refused: [{ line: 3, text: "x", reason: "High is 0." }],
  })
  const calls = answerBy("post", "/admin/imports/highs-of-2018", (call) => ({
    success: true,
    message: null,
    data: report(sentField(call.body, "dryRun") === "true"),
  }))
  const { user } = await open(gainsOf({ unknownStocks: [noHigh] }))

  await user.click(await screen.findByRole("button", { name: "Import highs for TCS" }))
  await user.upload(
    await screen.findByLabelText("Drop a file here, or choose one"),
    new File(["ISIN,High\n"], "highs.csv"),
  )
  expect(await screen.findByText("1 price to add.")).toBeVisible()
  expect(screen.getByText("High is 0.")).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Apply" }))

  expect(await screen.findByText("Imported. 1 price added.")).toBeVisible()
  expect(calls).toHaveLength(2)
})
