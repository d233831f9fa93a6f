import { readFile } from "node:fs/promises"
import { expect, type Page } from "@playwright/test"
import { Desk } from "./desk"
import { expectNoFaults, expectNoSidewaysScroll } from "./faults"
import { test } from "./test"

/** A fee is marked paid, its invoice is downloaded, the service ends early, and a credit note follows. */

const CODE = "C0003"

async function openFees(page: Page, desk: Desk) {
  await desk.seat(page, { id: await desk.clientIdOf(CODE), code: CODE })
  await page.goto("/home/client/fees")
  await expect(page.getByRole("heading", { level: 2, name: "Fee Details" })).toBeVisible()
}

const row = (page: Page, starts: string) => page.getByRole("row").filter({ hasText: starts })

/** Presses a button that saves a PDF; its name and how it begins. */
async function pdfOf(page: Page, button: RegExp) {
  const saved = page.waitForEvent("download")
  await page.getByRole("button", { name: button }).click()
  const file = await saved
  const content = await readFile(await file.path())
  return { name: file.suggestedFilename(), head: content.subarray(0, 5).toString() }
}

test("a paid fee has an invoice, and its refund a credit note", async ({ page }) => {
  const desk = await Desk.open(page)
  await desk.call("PUT", "/settings/invoices", { isOn: true })
  await openFees(page, desk)
  const fees = `/admin/clients/client/${await desk.clientIdOf(CODE)}/fees`
  await desk.call("POST", fees, {
    startingDate: "2012-04-01",
    finalDate: "2013-03-31",
    startingValue: 1_000_000,
    finalValue: 1_600_000,
  })
  await page.reload()

  await page.getByRole("button", { name: "Edit fee of 01/04/2012" }).click()
  await page.getByLabel("Status").selectOption("PAID")
  await page.getByLabel("Paid Date").fill("2013-04-10")
  await page.getByLabel("Mode of Payment").selectOption("Cheque")
  await page.getByLabel("Reference").fill("004512")
  await expectNoFaults(page, "a payment in hand")
  await page.getByRole("button", { name: "Save", exact: true }).click()
  await expect(row(page, "01/04/2012")).toContainText(/INV\/\d\d-\d\d\/\d{4}/)
  await expect(row(page, "01/04/2012")).toContainText("Cheque · 004512")
  await row(page, "01/04/2012").scrollIntoViewIfNeeded()
  const saved = page.waitForEvent("download")
  await row(page, "01/04/2012")
    .getByRole("button", { name: /^INV\// })
    .click()
  const file = await saved
  expect(file.suggestedFilename()).toMatch(/^inv-\d\d-\d\d-\d{4}\.pdf$/)
  expect((await readFile(await file.path())).subarray(0, 5).toString()).toBe("%PDF-")

  await page.getByRole("button", { name: "Refund the fee of 01/04/2012" }).click()
  const dialog = page.getByRole("dialog", { name: "End service and refund" })
  await dialog.getByLabel("Last day of service").fill("2012-07-09")
  await dialog.getByLabel("Last day of service").press("Tab")
  await expect(dialog.getByRole("status")).toContainText("₹87,123.29 to refund.")
  await expect(dialog.getByRole("status")).toContainText("₹1,20,000.00 × 265 ÷ 365 = ₹87,123.29")
  await dialog.getByLabel("Mode of Payment").selectOption("Bank transfer")
  await expectNoFaults(page, "a refund")
  await dialog.getByRole("button", { name: "Record refund" }).click()
  await expect(page.getByText(/Refund recorded: credit note CRN/)).toBeVisible()
  const note = await pdfOf(page, /^CRN\//)
  expect(note.name).toMatch(/^crn-\d\d-\d\d-\d{4}\.pdf$/)
  expect(note.head).toBe("%PDF-")

  await page.goto("/home/invoices?query=CRN/")
  await expect(page.getByText("1–1 of 1")).toBeVisible()
  await expectNoFaults(page, "invoices")
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoSidewaysScroll(page, "invoices on a phone")
  await desk.call("PUT", "/settings/invoices", { isOn: false })
})
