import { expect, type Page } from "@playwright/test"
import { Desk } from "./desk"
import { expectNoFaults, expectNoSidewaysScroll } from "./faults"
import { test } from "./test"

/** The registers of compliance: entered on the screens, and what the public sees of complaints. */

const monthOf = (day: Date) =>
  day.toLocaleDateString("en-GB", { month: "long", year: "numeric", timeZone: "Asia/Kolkata" })

/** A day of last month, as the product's date fields take it. */
function dayOfLastMonth() {
  const now = new Date()
  const day = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 20))
  return {
    day,
    typed: `20-${String(day.getUTCMonth() + 1).padStart(2, "0")}-${day.getUTCFullYear()}`,
  }
}

/** The counts of a month on the public page, in the order of its columns. */
async function countsOf(page: Page, month: string) {
  await page.goto("/complaints")
  const table = page.getByRole("region", { name: "Complaints by month" })
  const cells = table.getByRole("row").filter({ hasText: month }).getByRole("cell")
  return (await cells.allTextContents()).slice(0, 4).map(Number)
}

test("a complaint goes from its entry to the public page, without a name", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" })
  const { day, typed } = dayOfLastMonth()
  const [, received = 0, resolved = 0, pending = 0] = await countsOf(page, monthOf(day))
  await Desk.signIn(page)
  await page.goto("/home/dashboard")
  await page.getByRole("link", { name: "Compliance" }).click()
  await page.getByRole("link", { name: "Complaints" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Complaints" })).toBeVisible()

  await page.getByRole("button", { name: "Add complaint" }).click()
  const form = page.getByRole("dialog", { name: "Add complaint" })
  await form.getByRole("button", { name: "Save" }).click()
  await expect(form.getByText("From is required")).toBeVisible()
  await form.getByLabel("Received on").fill(typed)
  await form.getByLabel("From").fill("Meera Iyer")
  await form.getByLabel("Channel").selectOption("SMART ODR")
  await form.getByLabel("Subject").fill("No answer to two mails")
  await form.getByLabel("Nature").fill("Service")
  await expectNoFaults(page, "form of a complaint")
  await form.getByRole("button", { name: "Save" }).click()
  await expect(form).toBeHidden()
  const row = page.getByRole("row").filter({ hasText: "Meera Iyer" })
  await expect(row).toContainText(/Overdue|Due soon|Open/)

  expect(await countsOf(page, monthOf(day))).toEqual([
    expect.any(Number),
    received + 1,
    resolved,
    pending + 1,
  ])
  await expect(page.getByText("INH000012345")).toBeVisible()
  await expect(page.getByText("Meera Iyer")).toBeHidden()
  await expectNoFaults(page, "public page of complaints")

  await page.goto("/home/compliance/complaints")
  await row.getByRole("button", { name: /complaint of Meera Iyer/ }).click()
  await page.getByRole("menuitem", { name: "Resolve" }).click()
  const resolve = page.getByRole("dialog", { name: "Resolve the complaint of Meera Iyer" })
  await resolve.getByLabel("Resolved on").fill(typed)
  await resolve.getByLabel("Resolution").fill("We answered and apologised.")
  await resolve.getByRole("button", { name: "Resolve" }).click()
  await expect(resolve.getByText(/A closing cannot be backdated/)).toBeVisible()
  const today = new Date().toLocaleDateString("en-GB", { timeZone: "Asia/Kolkata" })
  await resolve.getByLabel("Resolved on").fill(today.replaceAll("/", "-"))
  await resolve.getByRole("button", { name: "Resolve" }).click()
  await expect(row).toContainText("Resolved")
})

test("the public page reads without a script on a phone", async ({ browser, baseURL }) => {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 844 },
    baseURL,
  })
  const page = await context.newPage()

  await page.goto("/complaints")

  await expect(page.getByRole("heading", { level: 1, name: "Complaints" })).toBeVisible()
  await expect(page.getByRole("row", { name: /Grand total/ })).toBeVisible()
  await context.close()
})

for (const width of [1440, 390]) {
  test(`incidents without any, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 850 })
    await Desk.signIn(page)
    await expectSound(page, "/home/compliance/incidents", "Incidents")
  })

  test(`a USER declares, and sees no register, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 850 })
    await Desk.signIn(page, "USER")
    await expectSound(page, "/home/own-trading", "Own trading")

    await page.goto("/home/compliance/complaints")

    await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible()
  })
}

async function expectSound(page: Page, address: string, name: string) {
  await page.emulateMedia({ reducedMotion: "reduce" })
  await page.goto(address)
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible()
  await expectNoFaults(page, name)
  await expectNoSidewaysScroll(page, name)
}
