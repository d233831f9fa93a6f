import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { ashaRebalance } from "@/testing/advice-rows"
import { draftForAsha, openComputed } from "@/testing/advice-screen"
import { answerWith } from "@/testing/server"
import { rowTexts } from "@/testing/tables"
import { draft, type RebalanceRow } from "./draft"

beforeEach(() => {
  draftForAsha()
})

const open = (symbol: string) => screen.findByRole("button", { name: `Show details of ${symbol}` })

test("a row opens to the reason first, then the trade and the charges of the order", async () => {
  const { user } = await openComputed()
  expect(screen.getByText("Overweight: 60 % against a target of 50 %.")).toBeVisible()
  expect(screen.queryByText(/Sell 7, leaves 49.5 %\.$/)).not.toBeInTheDocument()

  await user.click(await open("INFY"))

  const details = screen.getByText(/Sell 7, leaves 49.5 %\.$/)
  expect(details).toHaveTextContent(
    /^Overweight: 60 % against a target of 50 %\. Sell 7, leaves 49\.5 %\.$/,
  )
  expect(screen.getByText("Charges of this order").nextSibling).toHaveTextContent("₹36.11")
  await user.click(screen.getByRole("button", { name: "Hide details of INFY" }))
  expect(screen.queryByText("Charges of this order")).not.toBeInTheDocument()
})

test("the list can be grouped by reason, and the choice is remembered", async () => {
  const { user, unmount } = await openComputed()
  expect(rowTexts().map((text) => text.slice(0, 4))).toEqual(["SELL", "BUYT", "HOLD"])

  await user.click(screen.getByRole("button", { name: "Reason" }))

  const groups = ["Above target (1)", "Below target (1)", "No price (1)"]
  const inGroups = () => rowTexts().filter((text) => text.endsWith("(1)"))
  expect(inGroups()).toEqual(groups)
  expect(rowTexts().findIndex((text) => text.includes("TCS"))).toBe(3)
  unmount()
  await openComputed()
  expect(inGroups()).toEqual(groups)
})

test("an order whose charges are a large part of it is marked, with a sentence", async () => {
  const data = ashaRebalance.data.map((row) =>
    row.symbol === "INFY" ? { ...row, isDust: true } : row,
  )
  const { user } = await openComputed("/home/advice-rebalance", {
    rebalance: { ...ashaRebalance, data },
  })

  expect(screen.getAllByText("High charges")).toHaveLength(1)
  await user.click(await open("INFY"))
  expect(screen.getByText("The charges of ₹36.11 are more than 0.5 % of this order.")).toBeVisible()
})

const taxed = (tax: Partial<NonNullable<RebalanceRow["tax"]>>) => ({
  rebalance: {
    ...ashaRebalance,
    data: ashaRebalance.data.map((row) =>
      row.symbol === "INFY"
        ? {
            ...row,
            tax: {
              reasonText: "",
              shortGain: 70_000,
              longGain: 0,
              tax: 14_560,
              daysToLongTerm: 12,
              waits: [],
              ...tax,
            },
          }
        : row,
    ),
  },
})

test("a sale shows its gains, its tax, and what waiting saves", async () => {
  const waits = [
    { days: 12, saving: 8_400 },
    { days: 40, saving: 9_000 },
  ]
  const { user } = await openComputed("/home/advice-rebalance", taxed({ waits }))

  await user.click(await open("INFY"))

  expect(
    screen.getByText("Wait 12 days: saves ₹8,400.00. Wait 40 days: saves ₹9,000.00."),
  ).toBeVisible()
  expect(screen.getByText("Short-term gain").nextSibling).toHaveTextContent("+₹70,000.00")
  expect(screen.getByText("Tax at full rate").nextSibling).toHaveTextContent("₹14,560.00")
})

test("a sale whose lots are not known shows dashes and the reason", async () => {
  const unknown = {
    reasonText: "The lots do not add up.",
    shortGain: null,
    longGain: null,
    tax: null,
    daysToLongTerm: null,
  }
  const { user } = await openComputed("/home/advice-rebalance", taxed(unknown))

  await user.click(await open("INFY"))

  expect(screen.getByText("Tax not known. The lots do not add up.")).toBeVisible()
  expect(screen.getByText("Tax at full rate").nextSibling).toHaveTextContent("-")
  expect(screen.getByText("Estimated tax").nextSibling).toHaveTextContent("-")
})

test("the analyst's own sentence stays in the draft and is sent with its order alone", async () => {
  const created = answerWith("post", "/admin/advice/create", {})
  const { user, confirmSend } = await openComputed()
  await user.click(await open("INFY"))

  await user.fill(screen.getByLabelText("Your sentence about INFY"), " The margin fell. ")

  expect(screen.getByText(/18 of 300 characters/)).toBeVisible()
  expect(screen.getByRole("img", { name: "With your sentence" })).toBeVisible()
  expect(draft.get().notes).toEqual({ INE408065: " The margin fell. " })
  const dialog = within(await confirmSend())
  await user.click(dialog.getByRole("button", { name: "Send 2 orders" }))
  await waitFor(() => expect(created).toHaveLength(1))
  const { stocks } = created[0]!.body as { stocks: { symbol: string; note?: string }[] }
  expect(stocks.map(({ symbol, note }) => [symbol, note])).toEqual([
    ["INFY", "The margin fell."],
    ["TCS", undefined],
  ])
  expect(Object.keys(stocks[1]!)).not.toContain("note")
})

test("a stock that is not traded takes no sentence", async () => {
  const { user } = await openComputed()

  await user.click(await open("ITC"))

  expect(screen.getByText("Price source")).toBeVisible()
  expect(screen.queryByLabelText("Your sentence about ITC")).not.toBeInTheDocument()
})

test("the printed sheet has the sentence under the reason", async () => {
  draft.change({ notes: { INE2953217: "A better price than last week." } })
  await openComputed()

  const sheet = within(document.querySelector("article")!)
  expect(sheet.getByText("A better price than last week.").closest("tr")).toHaveTextContent("TCS")
})
