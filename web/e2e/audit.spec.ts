import { expect, type Page } from "@playwright/test"
import { Desk } from "./desk"
import { expectNoFaults } from "./faults"
import { test } from "./test"

/** The audit trail and sealed advice, as an inspector would ask for them. */

async function openTrail(page: Page) {
  await page.goto("/home/dashboard")
  await page.getByRole("link", { name: "Settings" }).click()
  await page.getByRole("tab", { name: "Audit trail" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Audit Trail" })).toBeVisible()
  await expect(page.getByRole("row").nth(1)).toBeVisible()
}

test("the audit trail is read, filtered, opened, verified and exported", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" })
  await Desk.signIn(page)
  await openTrail(page)
  // A mail that is due is written in the trail at any moment, so the login need not be the first row.
  await expect(page.getByRole("row").filter({ hasText: "Logged in" }).first()).toBeVisible()
  await expectNoFaults(page, "audit trail")

  await page.getByLabel("What", { exact: true }).selectOption("Advice sent")
  await expect(page).toHaveURL(/action=advice_sent/)
  await expect(page.getByRole("row").nth(1)).toContainText(/Advice to [A-Z].*, \d+ orders?/)
  await page.getByRole("row").nth(1).click()
  const dialog = page.getByRole("dialog", { name: /^Advice to / })
  await expect(dialog).toContainText("Hash")
  await expect(dialog.getByRole("row").filter({ hasText: "seal" })).toBeVisible()
  await expectNoFaults(page, "a row of the trail")
  await page.keyboard.press("Escape")

  await page.getByRole("button", { name: "Verify" }).click()
  await expect(page.getByText("Audit trail verified.")).toBeVisible()
  await expectNoFaults(page, "a verified trail")

  await page.getByRole("button", { name: "Clear filters" }).click()
  await expect(page).not.toHaveURL(/action/)
})

test("a USER sees nothing of the trail", { tag: "@long" }, async ({ page }) => {
  await Desk.signIn(page, "USER")

  await page.goto("/home/audit")

  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible()
})

test("sealed advice is verified and downloaded", { tag: "@long" }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" })
  await Desk.signIn(page)
  await openTrail(page)
  await page.getByLabel("What", { exact: true }).selectOption("Advice sent")
  // The rows of before the filter stay until the filtered ones are there.
  await page.getByRole("row").nth(1).filter({ hasText: "Advice to" }).click()
  const sent = page.getByRole("dialog").getByRole("row").filter({ hasText: "clientId" })
  const clientId = await sent.getByRole("cell").last().textContent()
  await page.keyboard.press("Escape")
  await page.evaluate((id) => sessionStorage.setItem("clientId", id ?? ""), clientId)

  await page.goto("/home/client/advice-history")
  await page
    .getByRole("button", { name: /Verify the record/ })
    .first()
    .click()

  const dialog = page.getByRole("dialog", { name: /Record of/ })
  await expect(dialog.getByText("The advice is unchanged since it was sealed.")).toBeVisible()
  await expect(dialog).toContainText("Computed again: the same quantities")
  await expectNoFaults(page, "a verified advice")
  const download = page.waitForEvent("download")
  await dialog.getByRole("button", { name: "Download record" }).click()
  expect((await download).suggestedFilename()).toMatch(/^advice-C\d{4}-.*\.zip$/)
})
