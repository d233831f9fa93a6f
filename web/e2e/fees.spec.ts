import { expect, type Page } from "@playwright/test"
import { Desk } from "./desk"
import { expectNoFaults, expectNoSidewaysScroll } from "./faults"
import { test } from "./test"

/** Fees on the real server: add one, settle it, see the firm earn it, delete it. */

/** The full sum of a card in rupees; the short form is what the eye sees. */
async function sumOf(page: Page, label: string): Promise<number> {
  const card = page.getByRole("group", { name: label, exact: true })
  await expect(card).toContainText("₹")
  const shown = card.locator("[title]").first()
  return Number((await shown.getAttribute("title"))?.replace(/[₹,]/g, ""))
}

async function openFees(page: Page) {
  await page.getByRole("link", { name: "Fees" }).first().click()
  await expect(page.getByRole("heading", { level: 1, name: "Fees" })).toBeVisible()
  await expect(page.getByRole("group", { name: "Total Fees", exact: true })).toContainText("₹")
}

async function openClientFees(page: Page, name: string) {
  await page.goto("/home/client/details")
  await page.getByLabel("Search by name or client ID").fill(name)
  await expect(page.getByText("1–1 of 1")).toBeVisible()
  await page.getByRole("row", { name: new RegExp(name) }).click()
  await page.getByRole("navigation", { name: "Client" }).getByRole("link", { name: "Fees" }).click()
  await expect(page.getByRole("heading", { level: 2, name: "Fee Details" })).toBeVisible()
}

const newRow = (page: Page) =>
  page.getByRole("row").filter({ has: page.getByLabel("Starting Date") })
const row = (page: Page, starts: string) => page.getByRole("row").filter({ hasText: starts })

test("a fee is added, settled, earned and deleted", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" })
  await Desk.signIn(page, "USER")
  await page.goto("/home/dashboard")
  const earned = await sumOf(page, "Total Earnings")
  await openFees(page)
  await expectNoFaults(page, "fees")
  const [total, due] = [await sumOf(page, "Total Fees"), await sumOf(page, "Total Due Fees")]

  await openClientFees(page, "C0001")
  await page.getByRole("button", { name: "Add Row" }).click()
  await expect(page.getByText("New row added. Please fill the details.")).toBeVisible()
  const start = newRow(page).getByLabel("Starting Value")
  await expect(start).toHaveValue(/₹/)
  await newRow(page).getByRole("button", { name: "Save" }).click()
  await expect(page.getByText("Please fill all required fields.")).toBeVisible()
  await expectNoFaults(page, "a new fee")

  await newRow(page).getByLabel("Starting Date").fill("2010-04-01")
  await newRow(page).getByLabel("Final Date").fill("2011-03-31")
  await expect(newRow(page).getByLabel("Due Date")).toHaveValue("31-03-2011")
  await start.fill("1000000")
  await newRow(page).getByLabel("Final Value").fill("1150000")
  await newRow(page).getByRole("button", { name: "Save" }).click()
  // Before the first version of the fee schedule the first one holds: a fifth of any gain.
  await expect(row(page, "01/04/2010")).toContainText("₹30,000.00")
  await expect(row(page, "01/04/2010")).toContainText("DUE")

  await openFees(page)
  expect(await sumOf(page, "Total Fees")).toBeCloseTo(total + 30_000, 2)
  expect(await sumOf(page, "Total Due Fees")).toBeCloseTo(due + 30_000, 2)
  await page.getByLabel("Search by name").fill("C0001")
  await expect(page.getByText("1–1 of 1")).toBeVisible()
  await page.getByRole("row", { name: /C0001/ }).click()
  await expect(page).toHaveURL(/\/home\/client\/fees/)

  await page.getByRole("button", { name: "Edit fee of 01/04/2010" }).click()
  await page.getByLabel("Status").selectOption("PAID")
  await page.getByLabel("Paid Date").fill("2011-04-15")
  await expectNoFaults(page, "a fee in hand")
  await page.getByRole("button", { name: "Save", exact: true }).click()
  await expect(row(page, "01/04/2010")).toContainText("15/04/2011")

  await page.getByRole("link", { name: "Dashboard" }).click()
  await expect.poll(() => sumOf(page, "Total Earnings")).toBeCloseTo(earned + 30_000, 2)
  await openFees(page)
  await page.getByRole("textbox", { name: "Payment History" }).fill("01-04-2011 – 30-04-2011")
  await page.getByRole("textbox", { name: "Payment History" }).press("Enter")
  await expect(page.getByText("1–1 of 1")).toBeVisible()
  await page.getByRole("row", { name: /C0001/ }).click()

  await page.getByRole("button", { name: "Delete fee of 01/04/2010" }).click()
  const question = page.getByRole("dialog", { name: "Delete this fee?" })
  await expect(question).toBeVisible()
  await expectNoFaults(page, "delete a fee")
  await question.getByRole("button", { name: "OK" }).click()
  await expect(page.getByText("Fee transaction deleted successfully")).toBeVisible()
  await expect(row(page, "01/04/2010")).toHaveCount(0)
  await page.getByRole("link", { name: "Dashboard" }).click()
  await expect.poll(() => sumOf(page, "Total Earnings")).toBeCloseTo(earned, 2)
})

test(
  "a stale edit is refused and the row is refreshed",
  { tag: "@long" },
  async ({ page, context }) => {
    const desk = await Desk.signIn(page)
    await openClientFees(page, "C0004")
    const pencil = /^Edit fee of/
    const other = await context.newPage()
    await desk.seat(other, { id: await desk.clientIdOf("C0004"), code: "C0004" })
    await other.goto("/home/client/fees")
    for (const tab of [page, other]) await tab.getByRole("button", { name: pencil }).last().click()

    await other.getByLabel("Due Date").fill("2027-01-31")
    await other.getByRole("button", { name: "Save", exact: true }).click()
    await expect(other.getByRole("cell", { name: "31/01/2027" })).toBeVisible()
    await page.getByLabel("Due Date").fill("2027-02-28")
    await page.getByRole("button", { name: "Save", exact: true }).click()

    await expect(
      page.getByText("This record was changed by someone else. Reload and try again."),
    ).toBeVisible()
    await expect(page.getByRole("cell", { name: "31/01/2027" })).toBeVisible()
  },
)

test.describe("on a phone", () => {
  test.use({
    viewport: { width: 390, height: 844 },
    contextOptions: { reducedMotion: "reduce" },
  })

  test(
    "fees are cards without sideways scrolling or faults",
    { tag: "@long" },
    async ({ page }) => {
      await Desk.signIn(page)
      const over = page.getByText("Over limit")
      await page.goto("/home/fees?limit=50")
      await over.first().waitFor()
      await expectNoFaults(page, "fees on a phone")
      await over.first().click()
      await page.getByRole("button", { name: "Add Row" }).click()
      await page
        .getByRole("button", { name: /^Edit fee/ })
        .last()
        .click()
      await expectNoFaults(page, "a client's fees on a phone")
      await expectNoSidewaysScroll(page, "a client's fees on a phone")
    },
  )
})
