import { readFileSync } from "node:fs"
import { expect, type Page } from "@playwright/test"
import { Desk } from "./desk"
import { expectNoFaults, expectNoSidewaysScroll } from "./faults"
import { test } from "./test"

/** What became of the demo's advice: acted on, in part, ignored, declined; and its clients' questions. */
test.describe.configure({ mode: "serial" })

const tile = (page: Page, name: RegExp) =>
  page.getByRole("group", { name: "Show advice" }).getByRole("button", { name })
const rows = (page: Page) =>
  page.getByRole("region", { name: "Advice sent, table" }).locator("tbody tr")

test("the board shows what clients did, a tile filters it, and a row opens to the trades", async ({
  page,
}) => {
  await Desk.signIn(page)
  await page.goto("/home/dashboard")
  await page.getByRole("link", { name: "Follow-up", exact: true }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Follow-up" })).toBeVisible()
  await expect(
    rows(page)
      .filter({ hasText: /C\d{4}/ })
      .first(),
  ).toBeVisible()

  await tile(page, /^In part/).click()
  await expect(page).toHaveURL(/state=PART/)
  const first = rows(page).filter({ hasText: "In part" }).first()
  await expect(first).toContainText(/\d+\.\d\d%/)
  await first.click()
  const drawer = page.getByRole("dialog", { name: /^Follow-up of/ })
  await expect(drawer.getByText("Implementation shortfall")).toBeVisible()
  const details = page.getByRole("button", { name: /^Show details of/ })
  const traded = drawer
    .getByRole("row")
    .filter({ has: details, hasText: /Done|In part|Short/ })
    .first()
  await traded.getByRole("button", { name: /^Show details of/ }).click()
  await expect(drawer.getByRole("region", { name: /^Trades of/ })).toContainText("IST")
  await expectNoFaults(page, "an advice in the follow-up")
})

test("what is left of an advice becomes a draft in the form", async ({ page }) => {
  await Desk.signIn(page)
  await page.goto("/home/follow-up?state=PART")
  await rows(page).filter({ hasText: "In part" }).first().click()
  await page.getByRole("dialog").getByRole("button", { name: "Draft follow-up" }).click()

  await expect(page).toHaveURL(/\/home\/advice$/)
  await expect(page.getByText("Targets set to what is left of the advice")).toBeVisible()
})

test("stocks are listed and exported, with what the trades cost", async ({ page }) => {
  await Desk.signIn(page, "USER")
  await page.goto("/home/follow-up/stocks")
  const list = page.getByRole("region", { name: "Follow-up by stock, table" })
  await expect(list.locator("tbody tr").filter({ hasText: "₹" }).first()).toBeVisible()
  await page.getByRole("button", { name: "Table options: Follow-up by stock" }).click()
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Download CSV" }).click(),
  ])

  expect(readFileSync(await file.path(), "utf8")).toMatch(/^.?Symbol,ISIN,Lines,Acted,/)
})

test("a question is answered, and the answer stays", { tag: "@long" }, async ({ page }) => {
  await Desk.signIn(page)
  await page.goto("/home/follow-up/questions?show=OPEN")
  await page
    .getByRole("button", { name: /^Show details of the question/ })
    .first()
    .click()
  await page.getByLabel("Your answer").fill("Its weight is above the target.")
  await page.getByRole("button", { name: "Send answer" }).click()

  await expect(page.getByText("The answer is being mailed.")).toBeVisible()
  await page.goto("/home/follow-up/questions?show=ANSWERED")
  await page
    .getByRole("button", { name: /^Show details of the question/ })
    .first()
    .click()
  await expect(page.getByText("Its weight is above the target.").first()).toBeVisible()
})

test.describe("on a phone", { tag: "@long" }, () => {
  test.use({ viewport: { width: 390, height: 844 } })

  test("the board is cards that open, without sideways scrolling", async ({ page }) => {
    await Desk.signIn(page, "USER")
    await page.goto("/home/follow-up")
    const cards = page.getByRole("list", { name: "Advice sent" })
    await cards
      .getByText(/C\d{4}/)
      .first()
      .click()
    await expect(page.getByText("Implementation shortfall")).toBeVisible()
    await expectNoSidewaysScroll(page, "an advice in the follow-up")
    await expectNoFaults(page, "an advice in the follow-up")
  })
})
