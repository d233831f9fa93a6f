import { expect, type Page } from "@playwright/test"
import { ago, booksOn, openPortfolio } from "./books"
import { Desk } from "./desk"
import { expectNoFaults } from "./faults"
import { settle } from "./screen"
import { test } from "./test"

/** A client's books: flows are added, corrected, imported and deleted, and every figure follows. */
test.describe.configure({ mode: "serial" })

let page: Page
const refused: string[] = []

test.beforeAll(async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
  })
  page = await context.newPage()
  page.on("pageerror", (error) => refused.push(error.message))
  await Desk.signIn(page)
  await openPortfolio(page, "C0005")
})

test.afterAll(async () => {
  expect(refused).toEqual([])
  await page.context().close()
})

const section = (name: string) => booksOn(page).section(name)
const rupeesOf = (name: string) => booksOn(page).rupeesOf(name)
const row = (name: RegExp) => booksOn(page).flowRow(name)
const flowRow = (name: RegExp) => booksOn(page).xirrRow(name)

/** Prices move while the test looks, so what follows them is compared roughly. */
const roughly = (expected: number) => ({
  from: expected - 0.02 * Math.abs(expected) - 60_000,
  to: expected + 0.02 * Math.abs(expected) + 60_000,
})

async function expectPnl(expected: number) {
  const { from, to } = roughly(expected)
  await expect.poll(() => rupeesOf("P&L Amount")).toBeGreaterThan(from)
  expect(await rupeesOf("P&L Amount")).toBeLessThan(to)
}

// Every client of the demo began earlier than that.
const { day, shown } = ago(20)

let invested = 0
let pnl = 0

test("the tab has its cards, chart and tables, without faults", async () => {
  await expect(page.getByText("“Annualised” is after fees")).toBeVisible()
  await expect(page.getByRole("img", { name: /^Portfolio value from/ })).toBeVisible()
  await expectNoFaults(page, "portfolio")
  invested = await rupeesOf("Net Investment")
  pnl = await rupeesOf("P&L Amount")
})

test("a row is refused until it is whole", async () => {
  await section("Accounting").getByRole("button", { name: "Add Row" }).first().click()
  await section("Accounting").getByRole("button", { name: "Save" }).click()

  for (const words of [
    "Please select a valid date",
    "Please enter a valid amount",
    "Please select cashflow type",
  ])
    await expect(page.getByText(words)).toBeVisible()
  await expectNoFaults(page, "accounting row")

  await page.getByLabel("Date of new transaction").fill("2999-01-01")
  await page.getByLabel("Amount of new transaction").fill("1")
  await page.getByLabel("Cashflow type of new transaction").selectOption("Fund Added")
  await section("Accounting").getByRole("button", { name: "Save" }).click()
  await expect(page.getByText("Please select a valid date")).toBeVisible()
  await expect(page.getByText("Please enter a valid amount")).toBeHidden()
})

test("what the server refuses is said in its words, and the row stays as it was typed", async () => {
  await page.getByLabel("Date of new transaction").fill(day)
  await page.getByLabel("Amount of new transaction").fill("9999999999999")
  await section("Accounting").getByRole("button", { name: "Save" }).click()

  await expect(section("Messages")).toContainText("Please enter a valid amount")
  await expect(page.getByLabel("Date of new transaction")).toHaveValue(
    day.split("-").reverse().join("-"),
  )
  await expect(page.getByLabel("Amount of new transaction")).toBeEnabled()
})

test("a flow that is added moves Net Investment, P&L and the XIRR table", async () => {
  await page.getByLabel("Date of new transaction").fill(day)
  await page.getByLabel("Amount of new transaction").fill("500000")
  await page.getByLabel("Cashflow type of new transaction").selectOption("Fund Added")
  await page.getByLabel("Amount of new transaction").press("Enter")

  await expect(row(new RegExp(`${shown} ₹5,00,000.00 Fund Added`))).toBeVisible()
  await expect.poll(() => rupeesOf("Net Investment")).toBe(invested + 500_000)
  await expectPnl(pnl - 500_000)
  await expect(flowRow(new RegExp(`${shown} Fund Added -₹5,00,000.00`))).toBeVisible()
})

test("a flow that is corrected moves them again, and Escape undoes what was typed", async () => {
  const name = `transaction of ${shown}`
  await page.getByRole("button", { name: `Edit ${name}` }).click()
  await page.getByLabel(`Amount of ${name}`).fill("1")
  await page.getByLabel(`Amount of ${name}`).press("Escape")
  await expect(row(new RegExp(`${shown} ₹5,00,000.00 Fund Added`))).toBeVisible()

  await page.getByRole("button", { name: `Edit ${name}` }).click()
  await page.getByLabel(`Amount of ${name}`).fill("200000.50")
  await page.getByLabel(`Cashflow type of ${name}`).selectOption("Fund Withdrawl")
  await section("Accounting").getByRole("button", { name: "Save" }).click()

  await expect(row(new RegExp(`${shown} ₹2,00,000.50 Fund Withdrawl`))).toBeVisible()
  await expect.poll(() => rupeesOf("Net Investment")).toBe(invested - 200_000.5)
  await expectPnl(pnl + 200_000.5)
  await expect(flowRow(new RegExp(`${shown} Fund Withdrawl \\+₹2,00,000.50`))).toBeVisible()
})

async function remove() {
  await page.getByRole("button", { name: `Delete transaction of ${shown}` }).click()
  await page
    .getByRole("dialog", { name: "Delete this transaction?" })
    .getByRole("button", { name: "Delete" })
    .click()
  await expect(row(new RegExp(shown))).toBeHidden()
}

test("a flow that is deleted leaves every sum, comes back with Undo, and goes again", async () => {
  await remove()
  await expect.poll(() => rupeesOf("Net Investment")).toBe(invested)
  await expectPnl(pnl)
  await expect(flowRow(new RegExp(shown))).toBeHidden()

  await page.getByRole("button", { name: "Undo" }).click()
  await expect(row(new RegExp(`${shown} ₹2,00,000.50 Fund Withdrawl`))).toBeVisible()
  await remove()
})

test("a file of funds is checked, applied and in every sum", async () => {
  await section("Accounting").getByRole("button", { name: "Import funds" }).click()
  const dialog = page.getByRole("dialog", { name: "Import funds" })
  const written = `date,amount,type\n${day},125000.50,Fund Added\n${day},none,Fund Added\n`
  await dialog.getByLabel("Drop a file here, or choose one").setInputFiles({
    name: "funds.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(written),
  })
  await expect(dialog.getByRole("heading", { name: "Refused rows" })).toBeVisible()
  await expect(dialog.getByRole("button", { name: "Apply" })).toBeDisabled()
  await dialog.getByLabel("Leave out the refused rows").check()
  await dialog.getByRole("button", { name: "Apply" }).click()
  await dialog.getByRole("button", { name: "Done" }).click()

  await expect(row(new RegExp(`${shown} ₹1,25,000.50 Fund Added`))).toBeVisible()
  await expect(flowRow(new RegExp(`${shown} Fund Added -₹1,25,000.50`))).toBeVisible()
  await expect.poll(() => rupeesOf("Net Investment")).toBe(invested + 125_000.5)
  await remove()
  await expect.poll(() => rupeesOf("Net Investment")).toBe(invested)
})

test("the chart's rows are a table, and the tab fits a phone", async () => {
  await section("Performance").getByRole("button", { name: "Table", exact: true }).click()
  await expect(section("Performance").getByRole("columnheader").first()).toHaveText("Date")
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  const add = section("Accounting").getByRole("button", { name: "Add Row" }).first()
  await expect(add).toBeEnabled()
  await settle(page)
  await add.click()
  await expect(page.getByLabel("Date of new transaction")).toBeVisible()
  await expectNoFaults(page, "portfolio on a phone")
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBe(0)
})
