import { expect, type Page } from "@playwright/test"
import { Desk } from "./desk"
import { expectNoFaults } from "./faults"
import { test } from "./test"

/**
 * A bonus from its announcement to its undo: announced, pending, credited to one client, taken back. The firm is of
 * this file alone, so that no other test meets its figures.
 */
test.describe.configure({ mode: "serial" })

interface Held {
  tradingSymbol: string
  quantity: number
  averagePrice: number
  ltp: number
  actionPending: boolean
  uncredited: number
}

interface Client {
  _id: string
  clientId: string
}

const DAY = 24 * 60 * 60 * 1000
const inIndia = (at: number) =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "Asia/Kolkata" }).format(at).replaceAll("/", "-")

const holdingsOf = (desk: Desk, client: Client) =>
  desk.call<Held[]>("GET", `/admin/clients/client/${client._id}/holdings`)

/** A stock that two clients or more hold, outside the demo's own actions, and these clients. */
async function shared(desk: Desk) {
  const acted = await desk.call<{ tradingSymbol: string }[]>("GET", "/admin/corporate-actions")
  const taken = new Set(acted.map((row) => row.tradingSymbol))
  const holders = new Map<string, Client[]>()
  for (const client of await desk.call<Client[]>("GET", "/admin/clients?limit=60")) {
    for (const { tradingSymbol } of await holdingsOf(desk, client))
      holders.set(tradingSymbol, [...(holders.get(tradingSymbol) ?? []), client])
    const found = [...holders].find(([symbol, who]) => who.length === 2 && !taken.has(symbol))
    if (found) return { symbol: found[0], clients: found[1] as [Client, Client] }
  }
  throw new Error("No two clients hold the same stock.")
}

const heldBy = async (desk: Desk, client: Client, symbol: string) =>
  (await holdingsOf(desk, client)).find((row) => row.tradingSymbol === symbol)!

/** Kite's file of what a client holds, with the bonus shares of one stock. */
const fileWith = (rows: Held[], symbol: string, quantity: number) =>
  [
    '"Instrument","Qty.","Avg. cost","LTP"',
    ...rows.map((row) => {
      const count = row.tradingSymbol === symbol ? quantity : row.quantity
      const average = row.averagePrice * (row.quantity / count)
      return `"${row.tradingSymbol}",${count},${Math.round(average * 100) / 100},${row.ltp}`
    }),
  ].join("\n")

async function open(page: Page, symbol: string) {
  await page.goto(`/home/corporate-actions?query=${symbol}`)
  const row = page.getByRole("row", { name: new RegExp(symbol) })
  const choose = async (word: string) => {
    await row.getByRole("button", { name: /^Actions for/ }).click()
    await page.getByRole("menuitem", { name: word }).click()
  }
  return { row, choose }
}

test("a bonus is announced, pending, credited and undone", { tag: "@long" }, async ({ page }) => {
  const desk = await Desk.open(page)
  const { symbol, clients } = await shared(desk)
  const [first, second] = clients
  const before = await heldBy(desk, second, symbol)
  await desk.seat(page)

  // Announced: nothing changes until the ex-date.
  const { row, choose } = await open(page, symbol)
  await page.getByRole("button", { name: "Add action" }).click()
  const form = page.getByRole("dialog", { name: "Add corporate action" })
  await form.getByLabel("Stock").fill(symbol)
  await page
    .getByRole("option", { name: new RegExp(symbol) })
    .first()
    .click()
  await form.getByLabel("Ex-date").fill(inIndia(Date.now() + DAY))
  await form.getByLabel("New shares").fill("1")
  await form.getByLabel("for shares held").fill("1")
  await form.getByRole("button", { name: "Save" }).click()
  await expect(row).toContainText("Announced")
  const announced = await heldBy(desk, second, symbol)
  expect([announced.quantity, announced.actionPending]).toEqual([before.quantity, false])

  // Its ex-date is today: clients own the shares, and nobody has credited them.
  await choose("Edit")
  const edited = page.getByRole("dialog", { name: new RegExp(`Bonus of ${symbol}`) })
  await edited.getByLabel("Ex-date").fill(inIndia(Date.now()))
  await edited.getByRole("button", { name: "Save" }).click()
  await expect(row).toContainText("Pending")
  await expectNoFaults(page, "a pending action")
  const pending = await heldBy(desk, second, symbol)
  expect([pending.quantity, pending.uncredited]).toEqual([2 * before.quantity, before.quantity])
  await page.goto(`/home/client/details?query=${second.clientId}`)
  const client = page.getByRole("row", { name: new RegExp(second.clientId) })
  await expect(client).toContainText("Action pending")
  await client.getByText(second.clientId).click()
  await page.getByRole("link", { name: "Portfolio", exact: true }).click()
  const holding = page.getByRole("row", { name: new RegExp(`${symbol}.*Action pending`) })
  await expect(holding).toContainText("not credited")
  await expect(page.getByText(new RegExp(`^Action pending in .*${symbol}`))).toBeVisible()
  await expectNoFaults(page, "a portfolio with a pending action")

  // Credited to the first client, by a file; the second goes on waiting.
  const rows = await holdingsOf(desk, first)
  const shown = rows.map((each) => ({ ...each, quantity: each.quantity - each.uncredited }))
  const all = rows.find((each) => each.tradingSymbol === symbol)!.quantity
  await desk.importFile(first._id, "holdings.csv", fileWith(shown, symbol, all))
  expect((await heldBy(desk, first, symbol)).actionPending).toBe(false)
  expect((await heldBy(desk, second, symbol)).actionPending).toBe(true)

  // Undone: the second client has what the broker shows.
  const again = await open(page, symbol)
  await again.choose("Undo")
  const question = page.getByRole("dialog", { name: /^Undo the bonus of/ })
  await expect(question).toContainText("shares that are not credited yet")
  await expectNoFaults(page, "the question before the undo")
  await question.getByRole("button", { name: "Undo" }).click()
  await expect(again.row).toBeHidden()
  const after = await heldBy(desk, second, symbol)
  expect([after.quantity, after.uncredited, after.actionPending]).toEqual([
    before.quantity,
    0,
    false,
  ])
})
