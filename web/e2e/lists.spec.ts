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

async function choose(name: string, ...words: string[]) {
  await page.getByRole("button", { name: `Actions for ${name}` }).click()
  for (const word of words) await page.getByRole("menuitem", { name: word, exact: true }).click()
}

async function add(kind: "Client" | "User", name: string) {
  await page
    .getByRole("button", { name: `Add New ${kind}` })
    .first()
    .click()
  const dialog = page.getByRole("dialog", { name: `Add New ${kind}` })
  await dialog.getByLabel("Name").fill(name)
  await dialog.getByLabel("Email").fill(`${name.replace(/\W+/g, ".")}@lists.example`)
  await dialog.getByRole("button", { name: "Submit" }).click()
  await expect(dialog).toBeHidden()
}

async function remove(name: string) {
  await choose(name, "Status", "Delete")
  await page.getByRole("button", { name: "OK" }).click()
  await expect(row(new RegExp(name))).toHaveCount(0)
}

/** The same ways hold for people of both kinds: the last of the last page goes, comes back, another comes. */
async function expectListFollows(kind: "Client" | "User", names: string[]) {
  const tab = `${kind.toLowerCase()}s`
  const list = `/home/roles-permission?tab=${tab}&query=${run}&limit=2&sort=name`
  const last = names.at(-1) ?? ""
  await openOnce(`${list}&page=2`)
  await expect(shown("3–3 of 3")).toBeVisible()
  await choose(last, "Status", "Inactive")
  await expect(row(new RegExp(last))).toContainText("INACTIVE")
  await expect(shown("3–3 of 3")).toBeVisible()
  await remove(last)
  await expect(shown("1–2 of 2")).toBeVisible()
  await expect(page.getByRole("button", { name: "Page 1", exact: true })).toHaveAttribute(
    "aria-current",
    "page",
  )
  await expect(page.getByRole("button", { name: "Page 2", exact: true })).toHaveCount(0)
  await expect(row(new RegExp(names[0] ?? ""))).toBeVisible()
  await page.getByRole("button", { name: "Undo" }).last().click()
  await expect(shown("1–2 of 3")).toBeVisible()

  await add(kind, `Zz newest ${run}`)
  if (kind === "User") {
    const told = page.getByRole("dialog", { name: "Temporary passwords" })
    await told.getByRole("button", { name: "Done" }).click()
    await page
      .getByRole("dialog", { name: "Close without copying?" })
      .getByRole("button", { name: "Close", exact: true })
      .last()
      .click()
  }
  await expect(shown("1–2 of 4")).toBeVisible()
  await page.getByRole("button", { name: "Page 2", exact: true }).click()
  await expect(row(new RegExp(`Zz newest ${run}`))).toBeVisible()
  await expect(shown("3–4 of 4")).toBeVisible()

  // A search on the second page starts at the first one; nothing found is no empty page of something.
  await page.getByLabel(`Search ${tab}`).fill(`newest ${run}`)
  await expect(shown("1–1 of 1")).toBeVisible()
  await remove(`Zz newest ${run}`)
  await expect(page.getByText("No data available")).toBeVisible()
  await expect(shown("0–0 of 0")).toBeVisible()
  await expectStayed()
}

test("clients to administer", { tag: "@long" }, async () => {
  const names = ["Aa", "Bb", "Cc"].map((name) => `${name} client ${run}`)
  await desk.addClients(...names)
  await desk.seat(page)
  await expectListFollows("Client", names)
})

test("users", { tag: "@long" }, async () => {
  const names = ["Aa", "Bb", "Cc"].map((name) => `${name} user ${run}`)
  const email = (name: string) => `${name.replace(/\W+/g, ".").toLowerCase()}@lists.example`
  const users = names.map((name) => ({
    name,
    email: email(name),
    role: "USER",
    countryCode: "+91",
    contactNumber: "",
  }))
  await desk.call("POST", "/users/add", { users })
  await desk.seat(page)
  await expectListFollows("User", names)
  const left = await desk.call<{ _id: string; version: number }[]>("GET", `/users?query=${run}`)
  for (const { _id, version } of left)
    await desk.call("POST", "/users/delete", { userId: _id, version })
})

test("the client list", { tag: "@long" }, async () => {
  const names = ["Aa", "Bb", "Cc"].map((name) => `${name} listed ${run}`)
  await desk.addClients(...names)
  await desk.seat(page)
  await openOnce(`/home/client/details?query=${run}&limit=2&page=2&sort=name`)
  await expect(shown("3–3 of 3")).toBeVisible()
  // A colleague deletes the only client of this page while it is looked at.
  await desk.removeClients(`Cc listed ${run}`)
  await expect(shown("1–2 of 2")).toBeVisible()
  await expect(row(new RegExp(names[0] ?? ""))).toBeVisible()
  await add("Client", `Dd listed ${run}`)
  await expect(shown("1–2 of 3")).toBeVisible()
  await page.getByRole("button", { name: "Next page" }).click()
  await expect(row(new RegExp(`Dd listed ${run}`))).toBeVisible()
  // Inactive clients leave the figures, and what the list shows of them follows from the other screen.
  await page.getByRole("link", { name: "Roles & Permission" }).click()
  await page.getByRole("tab", { name: "Clients" }).click()
  await page.getByLabel("Search clients").fill(`Dd listed ${run}`)
  await expect(shown("1–1 of 1")).toBeVisible()
  await remove(`Dd listed ${run}`)
  await page.getByRole("link", { name: "Client Details" }).click()
  await page.getByLabel("Search by name or client ID").fill(run)
  await expect(shown("1–2 of 2")).toBeVisible()
  await expectStayed()
})

test("remarks", { tag: "@long" }, async () => {
  const [client] = await desk.addClients(`Aa remarked ${run}`)
  if (!client) throw new Error("no client")
  await desk.seat(page, client)
  await openOnce("/home/client/profile")
  await expect(page.getByText("No Data Available")).toBeVisible()
  const remarks = page.getByRole("list", { name: "Remarks" }).getByRole("listitem")
  for (const text of ["First words", "Second words"]) {
    await page.getByRole("button", { name: "Add remark" }).click()
    await page.getByLabel("New remark").fill(text)
    await page.keyboard.press("Control+Enter")
    await expect(remarks.first()).toContainText(text)
  }
  await expect(remarks).toHaveCount(2)
  await expect(page.getByText("No Data Available")).toBeHidden()
  await remarks
    .last()
    .getByRole("button", { name: /^Edit remark/ })
    .click()
  await page.getByRole("textbox", { name: "Edit remark" }).fill("First words, mended")
  await page.keyboard.press("Control+Enter")
  await expect(remarks.last()).toContainText("First words, mended")
  await expect(remarks.first()).toContainText("Second words")
  await expectStayed()
})

test("transactions", { tag: "@long" }, async () => {
  const [client] = await desk.addClients(`Aa flowing ${run}`)
  if (!client) throw new Error("no client")
  await desk.seat(page, client)
  await openOnce("/home/client/portfolio")
  const table = page.getByRole("region", { name: "Accounting", exact: true })
  await expect(table.getByText("No Data Available")).toBeVisible()
  for (const [day, amount] of [
    ["2026-03-02", "100000"],
    ["2026-03-09", "250000"],
    ["2026-03-05", "40000"],
  ] as const) {
    await table.getByRole("button", { name: "Add Row" }).first().click()
    await page.getByLabel("Date of new transaction").fill(day)
    await page.getByLabel("Amount of new transaction").fill(amount)
    await page.getByLabel("Cashflow type of new transaction").selectOption("Fund Added")
    await page.getByLabel("Amount of new transaction").press("Enter")
    await expect(page.getByLabel("Date of new transaction")).toHaveCount(0)
  }
  const days = table.locator("tbody tr td:first-child")
  await expect(days).toHaveText(["09/03/2026", "05/03/2026", "02/03/2026"])
  await expect(table.locator("tfoot")).toContainText("₹3,90,000.00")
  await page.getByRole("button", { name: "Edit transaction of 05/03/2026" }).click()
  await page.getByLabel("Date of transaction of 05/03/2026").fill("2026-03-12")
  await page.getByLabel("Date of transaction of 05/03/2026").press("Enter")
  await expect(days).toHaveText(["12/03/2026", "09/03/2026", "02/03/2026"])
  await page.getByRole("button", { name: "Delete transaction of 09/03/2026" }).click()
  await page
    .getByRole("dialog", { name: "Delete this transaction?" })
    .getByRole("button", { name: "Delete" })
    .click()
  await expect(days).toHaveText(["12/03/2026", "02/03/2026"])
  await expect(table.locator("tfoot")).toContainText("₹1,40,000.00")
  await expectStayed()
})
