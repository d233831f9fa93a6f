import { expect, type Page } from "@playwright/test"
import { Desk } from "./desk"
import { expectNoFaults } from "./faults"
import { test } from "./test"

/** What staff do with one client of the demo firm: find, look, note, and look up orders and advice. */
test.describe.configure({ mode: "serial" })

let page: Page
let desk: Desk
let client: Awaited<ReturnType<typeof clientWithRejectedOrders>>
const refused: string[] = []

test.beforeAll(async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
  })
  page = await context.newPage()
  page.on("console", (message) => {
    if (message.type() === "error") refused.push(message.text())
  })
  page.on("pageerror", (error) => refused.push(error.message))
  desk = await Desk.signIn(page)
  client = await clientWithRejectedOrders()
  await page.goto("/home/dashboard")
})

test.afterAll(async () => {
  expect(refused).toEqual([])
  await page.context().close()
})

/** Orders on a page of the order book. */
const PAGE = 10
const rows = (table: string) =>
  page
    .getByRole("region", { name: `${table}, table` })
    .getByRole("row")
    .filter({ hasNot: page.getByRole("columnheader") })

async function filterBy(entry: "Date" | "Status") {
  await page.getByRole("button", { name: "Filter", exact: true }).click()
  await page.getByRole("menuitem", { name: entry }).click()
}

/** A client of the demo with advice and rejected orders on one page; open orders end with the business day. */
async function clientWithRejectedOrders() {
  const read = <Data>(path: string) => desk.call<Data>("GET", path)
  const clients = await read<{ _id: string; clientId: string }[]>("/admin/clients?limit=200")
  for (const { _id, clientId } of clients) {
    const path = `/admin/clients/client/${_id}/order-book?status=REJECTED`
    const { length } = (await read<{ orders: unknown[] }>(path)).orders
    if (length === 0 || length === PAGE) continue
    const sent = await read<unknown[]>(`/admin/advice/clients/${_id}`)
    if (sent.length > 0) return { code: clientId, rejected: length }
  }
  throw new Error("the demo has no such client")
}

test("the list finds a client, and a rest on the name tells what the client is worth", async () => {
  const { code } = client
  await page.getByRole("link", { name: "Client Details" }).click()
  const { length } = await desk.call<unknown[]>("GET", "/admin/clients?limit=200")
  await expect(page.getByText(new RegExp(`^1–\\d+ of ${length}$`))).toBeVisible()
  await page.getByLabel("Search by name or client ID").fill(code)
  await expect(page.getByText("1–1 of 1")).toBeVisible()
  await page.getByRole("cell").nth(2).locator("strong").hover()
  const peek = page.getByRole("tooltip")
  await expect(peek).toContainText(code)
  await expect(peek).toContainText("in 30 days")
  await expectNoFaults(page, "peek")
  await page.getByRole("cell", { name: code }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem("username"))).toBe(code)
  await expect(page).toHaveTitle(/^Profile · .+ · Tarazu$/)
})

test("a remark is added and edited in place, and a blank text does not change it", async () => {
  const text = `Call after 5 pm, ${Date.now()}`
  await page.getByRole("button", { name: "Add remark" }).click()
  await page.getByLabel("New remark").fill("  ")
  await page.getByRole("button", { name: "Save" }).click()
  await expect(page.getByLabel("New remark")).toBeHidden()
  await page.getByRole("button", { name: "Add remark" }).click()
  await page.getByLabel("New remark").fill(text)
  await expectNoFaults(page, "profile with a new remark")
  await page.getByRole("button", { name: "Save" }).click()
  const first = page.getByRole("list", { name: "Remarks" }).getByRole("listitem").first()
  await expect(first).toContainText(text)
  await expect(first).toContainText("Ananya Kulkarni")

  await first.getByRole("button", { name: /^Edit remark/ }).click()
  await page.getByRole("textbox", { name: "Edit remark" }).fill(`${text}\nNot on Fridays`)
  await page.keyboard.press("Control+Enter")
  await expect(first).toContainText("Not on Fridays")
  await expect(first).toContainText("edited")
  await page.reload()
  await expect(first).toContainText("Not on Fridays")
})

test("the order book is filtered by status and by days, and the address keeps it", async () => {
  await page.getByRole("link", { name: "Order Book" }).click()
  await expect(rows("Order Book").first()).toContainText(/\d\d\/\d\d\/\d{4}/)
  const all = await page.getByText(/^\d+–\d+ of \d+$/).textContent()
  await filterBy("Status")
  await page.getByRole("menuitem", { name: "REJECTED" }).click()
  await expect(page.getByRole("menu")).toBeHidden()
  await expect(rows("Order Book")).toHaveCount(client.rejected)
  await expect(rows("Order Book").first()).toContainText("REJECTED")
  await expect(page).toHaveURL(/order-book\?status=REJECTED$/)
  await expectNoFaults(page, "order book")

  await filterBy("Date")
  const picker = page.getByRole("dialog", { name: "Date" })
  await expect(picker.getByLabel("Dates")).toBeFocused()
  await picker.getByLabel("Dates").fill("01-01-2020 – 31-01-2020")
  await page.keyboard.press("Enter")
  await expect(picker).toBeHidden()
  await expect(page.getByText("No order fits these filters.")).toBeVisible()
  await page.reload()
  await expect(page.getByText("01-01-2020 – 31-01-2020")).toBeVisible()
  await page.getByRole("button", { name: "Clear filters" }).click()
  await expect(page.getByText(all ?? "")).toBeVisible()
  await expect(page).toHaveURL(/order-book$/)
})

test("the first day that is picked only arms the filter; a click outside closes the picker", async () => {
  await filterBy("Date")
  const picker = page.getByRole("dialog", { name: "Date" })
  const days = picker.locator("td button:not([data-outside]):not([data-hidden])")
  await expectNoFaults(page, "calendar")
  await days.nth(4).click()
  await expect(picker).toBeVisible()
  await expect(page).toHaveURL(/order-book$/)
  await page.getByRole("heading", { level: 1 }).click()
  await expect(picker).toBeHidden()
  await expect(page).toHaveURL(/order-book$/)

  await filterBy("Date")
  await days.nth(4).click()
  await days.nth(9).click()
  await expect(picker).toBeHidden()
  await expect(page).toHaveURL(/from=\d{4}-\d\d-05&to=\d{4}-\d\d-10/)
})

test("the next client keeps the tab; the advice history filters by days", async () => {
  const who = page.getByRole("main").getByRole("heading", { level: 2 }).first()
  const name = (await who.textContent()) ?? ""
  await page.keyboard.press("]")
  await expect(who).not.toHaveText(name)
  await page.keyboard.press("[")
  await expect(who).toHaveText(name)
  await expect(page.getByRole("heading", { level: 1, name: "Order Book" })).toBeVisible()
  await page.getByRole("link", { name: "Advice History" }).click()
  await expect(page.getByRole("columnheader", { name: "Date(DD/MM/YYYY)" })).toBeVisible()
  await page
    .getByRole("button", { name: /^Show details of the advice/ })
    .first()
    .click()
  await expect(page.getByRole("columnheader", { name: "Exchnage" })).toBeVisible()
  await expect(page.getByRole("cell", { name: "DELIVERY", exact: true }).first()).toBeVisible()
  await filterBy("Date")
  await page.getByLabel("Dates").fill("2020-01-01 2020-01-31")
  await page.keyboard.press("Enter")
  await expect(page.getByText("No advice was sent on these dates.")).toBeVisible()
  await page.getByRole("button", { name: "Clear date filter" }).click()
  await expect(rows("Advice history").first()).toContainText(/BUY|SELL/)
  await expectNoFaults(page, "advice history")
})

test("on a phone the filters are a sheet", async () => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole("link", { name: "Order Book" }).click()
  await page.getByRole("button", { name: "Filter", exact: true }).click()
  const sheet = page.getByRole("dialog", { name: "Filter" })
  await expect(sheet.getByLabel("Dates")).toBeVisible()
  await expectNoFaults(page, "filter sheet")
  await sheet.getByRole("button", { name: "REJECTED" }).click()
  await expect(sheet).toBeHidden()
  await expect(page).toHaveURL(/status=REJECTED/)
  await expect(page.getByRole("list", { name: "Order Book" }).getByRole("listitem")).toHaveCount(
    client.rejected,
  )
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width).toBe(390)
})
