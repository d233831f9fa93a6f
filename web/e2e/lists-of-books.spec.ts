import { expect, type Page } from "@playwright/test"
import { Desk } from "./desk"
import { errorsOf } from "./network"
import { test } from "./test"

/**
 * Lists stay right while they change: rows come, go and change their status while a search, a filter and a page
 * are on, and list, count and page follow without a reload.
 */

const run = Date.now().toString(36)
let page: Page
let desk: Desk
let pageErrors: string[]

test.beforeEach(async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
  })
  page = await context.newPage()
  pageErrors = errorsOf(page)
  desk = await Desk.open(page)
})

test.afterEach(async () => {
  expect(pageErrors).toEqual([])
  await desk.removeClients(run)
  await page.context().close()
})

/** Goes to an address; after this the page must not reload. */
async function openOnce(address: string) {
  await page.goto(address)
  await page.evaluate(() => Object.assign(window, { stayed: true }))
}
const expectStayed = async () =>
  expect(await page.evaluate(() => "stayed" in window), "the page did not reload").toBe(true)

const shown = (text: string) => page.getByRole("main").getByText(text, { exact: true })
const row = (name: string | RegExp) => page.getByRole("row", { name })

test("fees of the firm and of a client, under filters", { tag: "@long" }, async () => {
  const names = ["Aa", "Bb", "Cc"].map((name) => `${name} charged ${run}`)
  const clients = await desk.addClients(...names)
  for (const client of clients) await desk.addFee(client.id, "2019-04")
  await desk.seat(page)
  await openOnce(`/home/fees?query=${run}&limit=2&page=2&sort=userName`)
  await expect(shown("3–3 of 3")).toBeVisible()
  await row(new RegExp(names[2] ?? "")).click()
  await expect(page.getByRole("heading", { level: 2, name: "Fee Details" })).toBeVisible()

  // Paid: it leaves the list of what is due, and the firm's list says so.
  await page.getByRole("button", { name: "Filter", exact: true }).click()
  await page.getByRole("menuitem", { name: "Status" }).click()
  await page.getByRole("menuitem", { name: "DUE" }).click()
  await expect(row(/01\/04\/2019/)).toBeVisible()
  await page.getByRole("button", { name: "Edit fee of 01/04/2019" }).click()
  await page.getByLabel("Status", { exact: true }).selectOption("PAID")
  await page.getByLabel("Paid Date").fill("2019-05-02")
  await page.getByRole("button", { name: "Save" }).click()
  await expect(page.getByText("No fee matches the filter.")).toBeVisible()
  await page.getByRole("button", { name: "Clear filter", exact: true }).click()
  await expect(row(/01\/04\/2019/)).toContainText("PAID")
  await page.goBack()
  await page.goBack()
  await page.goBack()
  await expect(row(new RegExp(names[2] ?? ""))).toContainText("PAID")
  await expect(shown("3–3 of 3")).toBeVisible()

  // Deleted: the client has no fee any more, and the last page is the one before.
  await row(new RegExp(names[2] ?? "")).click()
  await page.getByRole("button", { name: "Delete fee of 01/04/2019" }).click()
  await page.getByRole("button", { name: "OK" }).click()
  await expect(page.getByText("This client's fees appear here.")).toBeVisible()
  await page.goBack()
  await expect(shown("1–2 of 2")).toBeVisible()
  await expectStayed()
})

test("the pages of a client's fees", { tag: "@long" }, async () => {
  const [client] = await desk.addClients(`Aa paged ${run}`)
  if (!client) throw new Error("no client")
  const months = Array.from({ length: 21 }, (_, index) => {
    const year = 2015 + Math.floor(index / 12)
    return `${year}-${String((index % 12) + 1).padStart(2, "0")}`
  })
  for (const month of months) await desk.addFee(client.id, month)
  await desk.seat(page, client)
  await openOnce("/home/client/fees?page=2")
  await expect(shown("21–21 of 21")).toBeVisible()
  await page.getByRole("button", { name: "Delete fee of 01/01/2015" }).click()
  await page.getByRole("button", { name: "OK" }).click()
  await expect(shown("1–20 of 20")).toBeVisible()
  await expect(row(/01\/09\/2016/)).toBeVisible()
  await page.getByRole("button", { name: "Add Row" }).click()
  const fresh = page.getByRole("row").filter({ has: page.getByLabel("Starting Date") })
  await fresh.getByLabel("Starting Date").fill("2016-10-01")
  await fresh.getByLabel("Starting Value").fill("100000")
  await fresh.getByLabel("Final Value").fill("120000")
  await fresh.getByLabel("Final Date").fill("2016-10-31")
  await fresh.getByRole("button", { name: "Save" }).click()
  await expect(shown("1–20 of 21")).toBeVisible()
  await expect(page.locator("tbody tr").first()).toContainText("01/10/2016")
  await expectStayed()
})

test("the order book, as a file brings orders", { tag: "@long" }, async () => {
  const [client] = await desk.addClients(`Aa trading ${run}`)
  if (!client) throw new Error("no client")
  const bring = async (...ids: number[]) => {
    const head =
      "symbol,isin,trade_date,exchange,segment,series,trade_type,auction,quantity,price,trade_id,order_id,order_execution_time"
    const lines = ids.map(
      (id) =>
        `INFY,INE009A01021,2026-03-0${id},NSE,EQ,EQ,buy,false,10,1500.00,${run}${id},${run}9${id},2026-03-0${id}T10:00:00`,
    )
    await desk.importFile(client.id, "tradebook.csv", [head, ...lines].join("\n"))
  }
  await bring(1, 2, 3)
  await desk.seat(page, client)
  await openOnce("/home/client/order-book?limit=2&page=2&status=COMPLETE")
  await expect(shown("3–3 of 3")).toBeVisible()
  await bring(4, 5)
  await page.getByRole("link", { name: "Profile" }).click()
  // Wait until the screen is gone, not just leaving: going back must render it again.
  await expect(page).toHaveURL(/\/home\/client\/profile/)
  await expect(page.getByRole("button", { name: "Add Remark" })).toBeVisible()
  await page.goBack()
  await expect(shown("3–4 of 5")).toBeVisible()
  await page.getByRole("button", { name: "Page 3", exact: true }).click()
  await expect(row(/01\/03\/2026/)).toBeVisible()
  // No order fits another status: the page is the first one again, and says so.
  await page.getByRole("button", { name: "Filter", exact: true }).click()
  await page.getByRole("menuitem", { name: "Status" }).click()
  await page.getByRole("menuitem", { name: "OPEN" }).click()
  await expect(page.getByText("No order fits these filters.")).toBeVisible()
  await page.getByRole("button", { name: "Clear filters" }).click()
  await expect(shown("1–2 of 5")).toBeVisible()
  await expectStayed()
})

test("the advice history, as advice is sent", { tag: "@long" }, async () => {
  const [client] = await desk.addClients(`Aa advised ${run}`)
  if (!client) throw new Error("no client")
  const holdings = [
    'Instrument,"Qty.","Avg. cost",LTP,Invested,"Cur. val","P&L","Net chg.","Day chg."',
    "INFY,40,1450.25,1129.80,58010.00,45192.00,-12818.00,-22.10,0.35",
    "ITC,200,255.40,271.15,51080.00,54230.00,3150.00,6.17,0.08",
  ]
  await desk.importFile(client.id, "holdings.csv", holdings.join("\n"))
  await desk.seat(page, client)
  await openOnce("/home/client/advice-history")
  await expect(page.getByText("Advice sent to this client appears here.")).toBeVisible()
  const sent = async (target: string) => {
    await page.getByRole("button", { name: "Send Advice" }).click()
    await page.getByLabel("Target Allocation of ITC").fill(target)
    await page.getByLabel("Target Allocation of ITC").press("Enter")
    await page.getByRole("button", { name: "Rebalance Portfolio" }).click()
    await page.getByRole("button", { name: "Send", exact: true }).click()
    const dialog = page.getByRole("dialog", { name: "Send advice" })
    await dialog.getByLabel("Rationale", { exact: true }).fill("As agreed.")
    await dialog.getByLabel("I have read these").check()
    await dialog.getByRole("button", { name: /^Send/ }).click()
    // The sentence may still be there from the advice before.
    await expect(dialog).toBeHidden()
    await expect(page.getByText("Advice created successfully")).toBeVisible()
    await page.getByRole("link", { name: "Client Details" }).click()
    await page.getByLabel("Search by name or client ID").fill(client.code)
    await expect(shown("1–1 of 1")).toBeVisible()
    await page.getByRole("cell", { name: client.code }).click()
    await page.getByRole("link", { name: "Advice History" }).click()
  }
  const rows = page.getByRole("region", { name: "Advice history, table" }).locator("tbody tr")
  await sent("10")
  await expect(rows).toHaveCount(1)
  await sent("0")
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText("SELL")
  await page.getByRole("button", { name: "Filter", exact: true }).click()
  await page.getByRole("menuitem", { name: "Date" }).click()
  await page.getByLabel("Dates").fill("01-01-2020 – 31-01-2020")
  await page.keyboard.press("Enter")
  await expect(page.getByText("No advice was sent on these dates.")).toBeVisible()
  await page.getByRole("button", { name: "Clear filter", exact: true }).click()
  await expect(shown("1–2 of 2")).toBeVisible()
  await expectStayed()
})
