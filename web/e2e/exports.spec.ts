import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { expect, type Page } from "@playwright/test"
import { Desk } from "./desk"
import { expectNoFaults } from "./faults"
import { settle } from "./screen"
import { test } from "./test"

/** What people take away, from the real server: tables as CSV and Excel, copied text, the portfolio report. */

async function saved(page: Page, press: () => Promise<void>) {
  const download = page.waitForEvent("download")
  await press()
  const file = await download
  return { name: file.suggestedFilename(), path: await file.path() }
}

/** The rows of a workbook's first sheet, read by a reader that is not ours. */
const readWorkbook = (path: string) =>
  JSON.parse(
    execFileSync("../.venv/bin/python", [
      "-c",
      "import json, shutil, sys, openpyxl\n" +
        "shutil.copy(sys.argv[1], sys.argv[1] + '.xlsx')\n" +
        "page = openpyxl.load_workbook(sys.argv[1] + '.xlsx').worksheets[0]\n" +
        "print(json.dumps([[cell.value for cell in row] for row in page.iter_rows()], default=str))",
      path,
    ]).toString(),
  ) as (string | number | null)[][]

const options = (page: Page, table: string) =>
  page.getByRole("button", { name: `Table options: ${table}`, exact: true })

async function openClients(page: Page, query = "") {
  await Desk.signIn(page)
  await page.goto(`/home/client/details${query}`)
  await expect(page.getByRole("cell", { name: "C0001", exact: true })).toBeVisible()
}

test(
  "the client list is saved as CSV, sorted and filtered as it is shown",
  { tag: "@long" },
  async ({ page }) => {
    await openClients(page, "?sort=name&query=c000")
    await options(page, "Clients").click()
    await expectNoFaults(page, "table options")

    const { name, path } = await saved(page, () =>
      page.getByRole("menuitem", { name: "Download CSV" }).click(),
    )

    expect(name).toMatch(/^clients-\d{4}-\d\d-\d\d\.csv$/)
    const text = readFileSync(path, "utf8")
    expect(text.startsWith("\uFEFFClient ID,Client Name,Current Portfolio Value,")).toBe(true)
    const lines = text.trim().split("\r\n").slice(1)
    const names = await page.locator("tbody tr td:nth-child(3) strong").allTextContents()
    expect(lines.map((line) => line.split(",")[1])).toEqual(names)
    for (const line of lines) expect(line).toMatch(/^C000\d,[^,]+,-?\d+\.\d\d,-?\d+\.\d\d,/)
  },
)

test(
  "the client list is saved as a workbook whose sums are numbers, with a total",
  { tag: "@long" },
  async ({ page }) => {
    await openClients(page)
    await options(page, "Clients").click()

    const { name, path } = await saved(page, () =>
      page.getByRole("menuitem", { name: "Download Excel" }).click(),
    )

    expect(name).toMatch(/^clients-.*\.xlsx$/)
    const [heads, ...rows] = readWorkbook(path)
    expect(heads?.slice(0, 4)).toEqual([
      "Client ID",
      "Client Name",
      "Current Portfolio Value",
      "Total Amount",
    ])
    const total = rows.pop()
    expect(total?.[0]).toBe("Total")
    expect(rows.length).toBeGreaterThan(40)
    const sum = rows.reduce((all, row) => all + Number(row[3]), 0)
    expect(Number(total?.[3])).toBeCloseTo(sum, 1)
  },
)

test(
  "hidden columns stay hidden after a reload, and a copied table is what is shown",
  { tag: "@long" },
  async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"])
    await openClients(page)
    await options(page, "Clients").click()
    await page.getByRole("menuitemradio", { name: "Basic" }).click()
    await page.keyboard.press("Escape")
    await expect(options(page, "Clients")).toBeFocused()
    await page.reload()
    await expect(page.getByRole("cell", { name: "C0001", exact: true })).toBeVisible()
    await expect(page.getByRole("columnheader", { name: "P&L Amount" })).toHaveCount(0)

    await options(page, "Clients").click()
    await page.getByRole("menuitem", { name: "Copy as text" }).click()

    await expect(page.getByText("Table copied")).toBeVisible()
    const [heads, first] = (await page.evaluate(() => navigator.clipboard.readText())).split("\n")
    expect(heads).toBe("Client ID\tClient Name\tCurrent Portfolio Value\tCash Available\tStatus")
    expect(first).toMatch(/^C0001\t[^\t]+\t₹[\d,]+\.\d\d\t₹[\d,]+\.\d\d\tLog(in|out)$/)
  },
)

test(
  "every table of a client, and the portfolio report, are saved from their tabs",
  { tag: "@long" },
  async ({ page }) => {
    await openClients(page)
    await page.getByRole("cell", { name: "C0005", exact: true }).click()
    const tabs = [
      ["portfolio", "Your Holdings", "holdings"],
      ["portfolio", "Accounting", "accounting"],
      ["portfolio", "XIRR", "xirr"],
      ["fees", "Fees", "fees"],
      ["order-book", "Order Book", "order-book"],
      ["advice-history", "Advice history", "advice-history"],
    ] as const
    for (const [tab, table, what] of tabs) {
      await page.goto(`/home/client/${tab}`)
      await expect(options(page, table)).toBeVisible()
      await settle(page)
      await options(page, table).click()
      const { name, path } = await saved(page, () =>
        page.getByRole("menuitem", { name: "Download CSV" }).click(),
      )
      expect(name).toMatch(new RegExp(`^${what}-C0005-\\d{4}-\\d\\d-\\d\\d\\.csv$`))
      expect(readFileSync(path, "utf8")).toContain("\r\n")
    }

    const report = await saved(page, () =>
      page.getByRole("button", { name: "Portfolio report" }).click(),
    )

    expect(report.name).toMatch(/^portfolio-C0005-.*\.pdf$/)
    const pdf = readFileSync(report.path)
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-")
    expect(pdf.length).toBeGreaterThan(20_000)
  },
)

test("on a phone the options are at hand, too", { tag: "@long" }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await Desk.signIn(page)
  await page.goto("/home/client/details")
  await expect(page.getByText("C0001")).toBeVisible()
  await options(page, "Clients").click()
  await expectNoFaults(page, "table options on a phone")

  const { name } = await saved(page, () =>
    page.getByRole("menuitem", { name: "Download Excel" }).click(),
  )

  expect(name).toMatch(/\.xlsx$/)
})
