import { readFileSync } from "node:fs"
import { expect, type Page } from "@playwright/test"
import { Desk } from "./desk"
import { expectNoFaults, expectNoSidewaysScroll } from "./faults"
import { test } from "./test"

/** The track record of a demo model, its factsheet and the gate in front of it, and the record of calls. */

const MODEL = "Large Cap Leaders"

async function modelId(desk: Desk) {
  const models = await desk.call<{ _id: string; name: string }[]>("GET", "/admin/models?limit=50")
  return models.find((model) => model.name === MODEL)?._id ?? ""
}

async function openFactsheet(page: Page) {
  await page.getByRole("button", { name: "Factsheet" }).click()
  return page.getByRole("dialog", { name: "Factsheet" })
}

test(
  "a factsheet is made for the firm and refused for others",
  { tag: "@long" },
  async ({ page }) => {
    const desk = await Desk.signIn(page)
    await page.goto(`/home/models/${await modelId(desk)}?tab=record`)
    await expect(page.getByRole("img", { name: new RegExp(`^${MODEL}: `) })).toBeVisible()
    await expectNoFaults(page, "track record")

    let dialog = await openFactsheet(page)
    await expectNoFaults(page, "factsheet dialog")
    await dialog.getByLabel(/^The public/).check()
    await dialog.getByRole("button", { name: "Make factsheet" }).click()
    await expect(dialog.getByRole("alert")).toContainText("to the public only as")
    await dialog.getByLabel("One person who asked for it").check()
    await dialog.getByRole("button", { name: "Make factsheet" }).click()
    await expect(dialog.getByRole("alert")).toContainText("only on request")

    await dialog.getByLabel(/^The firm/).check()
    const download = page.waitForEvent("download")
    await dialog.getByRole("button", { name: "Make factsheet" }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^factsheet-\d{4}-\d{2}-\d{2}\.pdf$/)
    expect(
      readFileSync(await file.path())
        .subarray(0, 5)
        .toString(),
    ).toBe("%PDF-")

    dialog = await openFactsheet(page)
    await dialog.getByRole("button", { name: "Web page" }).click()
    const saved = page.waitForEvent("download")
    await dialog.getByRole("button", { name: "Make factsheet" }).click()
    expect(readFileSync(await (await saved).path(), "utf8")).toContain(`<h1>${MODEL}</h1>`)

    const refused = await desk.call<unknown[]>("GET", "/admin/audit?action=performance_refused")
    expect(refused.map((row) => JSON.stringify(row))).toEqual([
      expect.stringContaining("PROSPECT"),
      expect.stringContaining("PUBLIC"),
    ])
  },
)

test("the calls fit a phone and are exported", { tag: "@long" }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await Desk.signIn(page)
  await page.goto("/home/models/calls")

  await expect(page.getByRole("group", { name: "Better than the benchmark" })).toContainText("%")
  await expectNoSidewaysScroll(page, "calls")
  await expectNoFaults(page, "calls")
  await page.getByRole("button", { name: "Export record" }).click()
  const download = page.waitForEvent("download")
  await page.getByRole("dialog").getByRole("button", { name: "Export" }).click()
  const rows = readFileSync(await (await download).path(), "utf8").split("\r\n")
  expect(rows[0]).toContain("Seal Hash")
  expect(rows.length).toBeGreaterThan(10)
})
