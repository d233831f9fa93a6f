import { type Browser, type BrowserContext, expect, type Page } from "@playwright/test"
import { ago, booksOn, openPortfolio } from "./books"
import { Desk } from "./desk"
import type { staff } from "./sign-in"
import { settle } from "./screen"
import { test } from "./test"

/** What a client began with, two who write at once, the reasons of the XIRR, hidden amounts. */
test.describe.configure({ mode: "serial" })

const CODE = "C0007"
let page: Page
const contexts: BrowserContext[] = []

const opened = async (browser: Browser, role: keyof typeof staff) => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
  })
  contexts.push(context)
  const desk = await context.newPage()
  await Desk.signIn(desk, role)
  await openPortfolio(desk, CODE)
  return desk
}

test.beforeAll(async ({ browser }) => {
  page = await opened(browser, "ADMIN")
})

test.afterAll(async () => {
  for (const context of contexts) await context.close()
})

const card = (name: string) => booksOn(page).card(name)
const rupeesOf = (name: string) => booksOn(page).rupeesOf(name)

/** Opens the dialog of a card and fills it; returns the earlier value. */
async function fillStart(desk: Page, which: "Starting From" | "Starting Capital", text: string) {
  await desk.getByRole("button", { name: `Edit ${which}` }).click()
  const dialog = desk.getByRole("dialog")
  const before = await dialog.getByLabel(which).inputValue()
  await dialog.getByLabel(which).fill(text)
  return { dialog, before: before.replace(/[₹,]/g, "") }
}

const save = (desk: Page) => desk.getByRole("dialog").getByRole("button", { name: "Save" }).click()

async function editStart(which: "Starting From" | "Starting Capital", text: string) {
  const { dialog, before } = await fillStart(page, which, text)
  await save(page)
  await expect(dialog).toBeHidden()
  return before
}

let began = ""

test(
  "the starting date is refused until it is a day that was, then every figure follows",
  { tag: "@long" },
  async () => {
    const { dialog, before } = await fillStart(page, "Starting From", "")
    began = before
    await expect(page.getByRole("dialog", { name: "Select Date" })).toBeVisible()
    for (const none of ["", "2999-01-01"]) {
      await dialog.getByLabel("Starting From").fill(none)
      await save(page)
      await expect(dialog.getByText("Please select a valid date")).toBeVisible()
    }
    await dialog.getByRole("button", { name: "Open calendar" }).click()
    const calendar = page.getByRole("dialog", { name: "Starting From" })
    // The keys are the calendar's once it has the focus.
    await expect(calendar.locator(":focus")).toHaveCount(1)
    await page.keyboard.press("Escape")
    await expect(calendar).toHaveCount(0)
    await expect(dialog.getByLabel("Starting From")).toBeVisible()
    await dialog.getByLabel("Starting From").fill(ago(100).day)
    await save(page)

    await expect(dialog).toBeHidden()
    await expect(card("Starting From")).toContainText(ago(100).shown)
    await expect(card("Days")).toContainText("100")
    await expect(card("XIRR(Period)")).toContainText("0.27 years")
    await expect(card("XIRR%")).toContainText("absolute return")
  },
)

test("where there is no rate, the reason is shown next to the dash", { tag: "@long" }, async () => {
  await editStart("Starting From", ago(0).day)

  const reason = "Everything happened on one day; a yearly rate needs at least two."
  await expect(card("XIRR%")).toContainText(`-${reason}`)
  await expect(booksOn(page).section("XIRR").getByText(reason)).toBeVisible()
  await card("XIRR%").getByRole("note").hover()
  await expect(page.getByRole("tooltip", { name: reason })).toBeVisible()

  await editStart("Starting From", began)
  await expect(card("Starting From")).toContainText(began.replaceAll("-", "/"))
  await expect(card("XIRR%").getByRole("note")).toBeHidden()
})

test("the starting capital is a number, is edited and put back", { tag: "@long" }, async () => {
  const invested = await rupeesOf("Net Investment")
  const { dialog, before } = await fillStart(page, "Starting Capital", "")
  await expect(page.getByRole("dialog", { name: "Edit" })).toBeVisible()
  await save(page)
  await expect(dialog.getByText("Please enter a valid amount")).toBeVisible()
  await dialog.getByLabel("Starting Capital").fill("1000")
  await save(page)
  await expect(dialog).toBeHidden()

  await expect.poll(() => rupeesOf("Starting Capital")).toBe(1000)
  await expect.poll(() => rupeesOf("Net Investment")).toBe(invested - Number(before) + 1000)
  await editStart("Starting Capital", before)
  await expect.poll(() => rupeesOf("Net Investment")).toBe(invested)
})

test(
  "of two who edit at once, the second sees an error, and nothing is overwritten unseen",
  { tag: "@long" },
  async ({ browser }) => {
    const words = "This record was changed by someone else. Reload and try again."
    const other = await opened(browser, "USER")
    const mine = await fillStart(page, "Starting Capital", "2000000")
    const theirs = await fillStart(other, "Starting Capital", "3000000")
    await save(page)
    await expect(mine.dialog).toBeHidden()
    await save(other)

    const told = booksOn(other).section("Messages").filter({ hasText: words })
    await expect(told).toContainText("with ₹20,00,000.00. Save again to overwrite.")
    await expect(theirs.dialog.getByLabel("Starting Capital")).toHaveValue(/30,00,000/)
    await expect.poll(() => booksOn(other).rupeesOf("Starting Capital")).toBe(2_000_000)
    await save(other)
    await expect(theirs.dialog).toBeHidden()
    await expect.poll(() => booksOn(other).rupeesOf("Starting Capital")).toBe(3_000_000)
    await page.reload()
    await editStart("Starting Capital", mine.before)

    // And of one transaction.
    const { day, shown } = ago(15)
    await page.getByRole("button", { name: "Add Row" }).first().click()
    await page.getByLabel("Date of new transaction").fill(day)
    await page.getByLabel("Amount of new transaction").fill("100")
    await page.getByLabel("Cashflow type of new transaction").selectOption("Fund Added")
    await page.getByLabel("Amount of new transaction").press("Enter")
    const row = (desk: Page, amount: string) =>
      booksOn(desk).flowRow(new RegExp(`${shown} ${amount} Fund Added`))
    await expect(row(page, "₹100.00")).toBeVisible()
    await other.reload()
    const name = `transaction of ${shown}`
    for (const desk of [page, other])
      await desk.getByRole("button", { name: `Edit ${name}` }).click()
    await page.getByLabel(`Amount of ${name}`).fill("200")
    await other.getByLabel(`Amount of ${name}`).fill("300")
    await page.getByLabel(`Amount of ${name}`).press("Enter")
    await expect(row(page, "₹200.00")).toBeVisible()
    await other.getByLabel(`Amount of ${name}`).press("Enter")

    await expect(booksOn(other).section("Messages").filter({ hasText: words })).toContainText(
      `Someone changed it to Fund Added of ₹200.00 on ${shown}.`,
    )
    await expect(other.getByLabel(`Amount of ${name}`)).toHaveValue(/300/)
    await other.getByLabel(`Amount of ${name}`).press("Escape")
    await expect(row(other, "₹200.00")).toBeVisible()
    await page.reload()
    await expect(row(page, "₹200.00")).toBeVisible()
    await settle(page)
    await page.getByRole("button", { name: `Delete ${name}` }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click()
    await expect(row(page, "₹200.00")).toBeHidden()
  },
)

test(
  "the chart tells the day under the pointer, and hidden amounts are hidden everywhere",
  { tag: "@long" },
  async () => {
    const chart = page.getByRole("img", { name: /^Portfolio value from .*₹[\d.]+/ })
    await chart.scrollIntoViewIfNeeded()
    await expect(chart.locator("canvas").first()).toBeVisible()
    const box = await chart.boundingBox()
    await page.mouse.move(box!.x + box!.width / 2, box!.y + box!.height / 2)
    const performance = booksOn(page).section("Performance")
    await expect(performance.getByText(/Portfolio Value ₹[\d,]+\.\d\d/)).toBeVisible()

    await page.mouse.move(5, 5)
    await page.getByRole("button", { name: "Hide amounts" }).click()

    await expect(card("Portfolio Value")).toContainText("₹••••")
    const shown = await page.locator("main").innerText()
    expect(shown.match(/₹[\d,]+/g)).toBeNull()
    expect(shown).toMatch(/[+-]\d+\.\d\d%/)
    await expect(page.getByRole("img", { name: /^Portfolio value from .*₹••••/ })).toBeVisible()
    await page.getByRole("button", { name: "Show amounts" }).click()
    await expect(card("Portfolio Value")).toContainText(/₹[\d,]+/)
  },
)
