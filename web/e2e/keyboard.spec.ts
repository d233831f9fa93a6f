import { expect, type Locator, type Page } from "@playwright/test"
import { Desk } from "./desk"
import { expectFocusSeen, pressKeys, tabTo as tabWith } from "./keys"
import { errorsOf } from "./network"
import { CODE } from "./screens"
import { staff } from "./sign-in"
import { test } from "./test"

/** The main work of each screen with the keyboard alone. The pointer is never used; the focus is always to be seen. */
test.describe.configure({ mode: "serial" })

const run = Date.now().toString(36)
let page: Page
let desk: Desk
let pageErrors: string[]

test.beforeAll(async ({ browser }) => {
  const viewport = { width: 1440, height: 900 }
  page = await browser.newPage({ viewport, reducedMotion: "reduce" })
  pageErrors = errorsOf(page)
  desk = await Desk.open(page)
})

test.afterAll(async () => {
  expect(pageErrors).toEqual([])
  await desk.removeClients(run)
  await page.close()
})

const key = (...names: string[]) => pressKeys(page, ...names)
const tabTo = (there: Locator, most?: number, back?: boolean) => tabWith(page, there, most, back)
const heading = (name: string) =>
  expect(page.getByRole("heading", { level: 1, name, exact: true })).toBeVisible()

const button = (name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" }).first()

test("log in, and move by keys, palette and tabs", { tag: "@long" }, async () => {
  await page.goto("/auth/login")
  await heading("Log in")
  await expect(page.getByLabel("Email")).toBeFocused()
  await page.keyboard.type(staff.ADMIN.email)
  await tabTo(page.getByRole("textbox", { name: "Password" }))
  await page.keyboard.type(staff.ADMIN.password)
  await key("Enter")
  await heading("Dashboard")
  await key("Tab")
  await expect(page.getByRole("link", { name: "Skip to main content" })).toBeFocused()
  await expectFocusSeen(page)
  const there = { f: "Fees", b: "Broker & Exchange", r: "Roles & Permission", s: "Settings" }
  for (const [letter, title] of Object.entries({ ...there, a: "Advice", c: "Client Details" })) {
    await key("Escape", "g", letter)
    await heading(title)
  }
  await key("Control+k")
  const field = page.getByPlaceholder("Client code, name, stock or screen")
  await expect(field).toBeFocused()
  await page.keyboard.type(CODE)
  await expect(page.getByText(`Send advice to ${CODE}`)).toBeVisible()
  await key("Enter")
  await heading("Profile")
  await expect(page.getByText(CODE).first()).toBeVisible()
  const tabs = page.getByRole("navigation", { name: "Client" })
  for (const tab of ["Order Book", "Profile"]) {
    await tabTo(tabs.getByRole("link", { name: tab }), 60, tab === "Profile")
    await key("Enter")
    await heading(tab)
  }
})

test("a client is added, found, edited and deleted", { tag: "@long" }, async () => {
  await key("g", "r")
  await heading("Roles & Permission")
  await tabTo(page.getByRole("tab", { name: "Users" }))
  await key("ArrowRight")
  await expect(page.getByRole("tab", { name: "Clients" })).toHaveAttribute("aria-selected", "true")
  await expect(page.getByRole("columnheader", { name: "Client ID" })).toBeVisible()
  await key("n")
  const dialog = page.getByRole("dialog", { name: "Add New Client" })
  await expect(dialog.getByLabel("Name")).toBeFocused()
  await page.keyboard.type(`Keyed ${run}`)
  // The focus stays inside the dialog, all the way round.
  for (let steps = 0; steps < 14; steps += 1) {
    await key("Tab")
    expect(await dialog.evaluate((all) => all.contains(document.activeElement))).toBe(true)
    await expectFocusSeen(page)
  }
  await tabTo(dialog.getByLabel("Email"))
  await page.keyboard.type(`keyed.${run}@keys.example`)
  await key("Enter")
  await expect(dialog).toBeHidden()
  await expect(button("Add New Client")).toBeVisible()

  await key("/")
  await expect(page.getByLabel("Search clients")).toBeFocused()
  await page.keyboard.type(run)
  await expect(page.getByText("1–1 of 1")).toBeVisible()
  const actions = button(`Actions for Keyed ${run}`)
  await tabTo(actions)
  await key("Enter")
  await expect(page.getByRole("menuitem", { name: "Edit" })).toBeFocused()
  await key("Escape")
  await expect(actions).toBeFocused()
  await key("Enter")
  await expect(page.getByRole("menuitem", { name: "Edit" })).toBeFocused()
  await key("Enter")
  await expect(page.getByRole("dialog", { name: "Edit Client" }).getByLabel("Name")).toBeFocused()
  await tabTo(page.getByLabel("Contact number"))
  await page.keyboard.type("9876543210")
  await key("Enter")
  await expect(page.getByText("Client updated successfully")).toBeVisible()
  await expect(page.getByRole("dialog")).toBeHidden()

  await tabTo(actions)
  await key("Enter")
  await expect(page.getByRole("menuitem", { name: "Edit" })).toBeFocused()
  await key("ArrowDown", "ArrowRight")
  await expect(page.getByRole("menuitem", { name: "Active", exact: true })).toBeVisible()
  await expect(page.getByRole("menuitem", { name: "Inactive" })).toBeFocused()
  await key("ArrowDown", "Enter")
  const question = page.getByRole("dialog", { name: /^Delete/ })
  await expect(question).toBeVisible()
  await key("Escape")
  await expect(question).toBeHidden()
  await expect(page.getByRole("row", { name: new RegExp(run) })).toBeVisible()
  await tabTo(actions)
  await key("Enter")
  await expect(page.getByRole("menuitem", { name: "Edit" })).toBeFocused()
  await key("ArrowDown", "ArrowRight")
  await expect(page.getByRole("menuitem", { name: "Inactive" })).toBeFocused()
  await key("ArrowDown", "Enter")
  await expect(question).toBeVisible()
  await tabTo(question.getByRole("button", { name: "OK" }))
  await key("Enter")
  await expect(page.getByText("No data available")).toBeVisible()
  await key("Escape")
})

test(
  "a client's books: card, transaction, fee, remark, filters and days",
  { tag: "@long" },
  async () => {
    const [client] = await desk.addClients(`Books ${run}`)
    if (!client) throw new Error("no client")
    await page.evaluate((chosen) => {
      sessionStorage.setItem("clientId", chosen.id)
      sessionStorage.setItem("username", chosen.code)
    }, client)
    await page.goto("/home/client/portfolio")
    const capital = page.getByRole("group", { name: "Starting Capital", exact: true })
    const edit = capital.getByRole("button", { name: "Edit Starting Capital" })
    await expect(edit).toBeEnabled()
    await tabTo(edit)
    await key("Enter")
    const dialog = page.getByRole("dialog", { name: "Edit" })
    await expect(dialog.getByLabel("Starting Capital")).toBeFocused()
    await key("Control+a")
    await page.keyboard.type("250000")
    await key("Enter")
    await expect(dialog).toBeHidden()
    await expect(capital.getByText("₹2,50,000.00").first()).toBeVisible()
    await expect(capital.getByRole("button")).toBeFocused()

    const table = page.getByRole("region", { name: "Accounting", exact: true })
    await tabTo(table.getByRole("button", { name: "Add Row" }).first(), 90)
    await key("Enter")
    await expect(page.getByLabel("Date of new transaction")).toBeFocused()
    await page.keyboard.type("03032026")
    await tabTo(page.getByLabel("Amount of new transaction"))
    await page.keyboard.type("5000")
    await tabTo(page.getByLabel("Cashflow type of new transaction"))
    await page.keyboard.type("Fund A")
    await tabTo(table.getByRole("button", { name: "Save" }))
    await key("Enter")
    await expect(
      table.getByRole("row", { name: /03\/03\/2026 ₹5,000.00 Fund Added/ }),
    ).toBeVisible()

    await page.goto("/home/client/profile")
    await expect(page.getByText("Notes about this client appear here.")).toBeVisible()
    await key("n")
    await expect(page.getByLabel("New remark")).toBeFocused()
    await page.keyboard.type("By key alone")
    await key("Control+Enter")
    await expect(page.getByRole("list", { name: "Remarks" })).toContainText("By key alone")

    await page.goto("/home/client/fees")
    await expect(page.getByText("This client's fees appear here.")).toBeVisible()
    await key("n")
    await expect(page.getByLabel("Starting Value")).toHaveValue(/₹/)
    await expect(page.getByLabel("Starting Date")).toBeFocused()
    await page.keyboard.type("04042019")
    await tabTo(page.getByLabel("Final Date"))
    await page.keyboard.type("03032020")
    await tabTo(page.getByLabel("Final Value"))
    await page.keyboard.type("300000")
    await key("Enter")
    await expect(page.getByRole("row", { name: /04\/04\/2019/ })).toBeVisible()

    const filter = button("Filter")
    await tabTo(filter, 60, true)
    await key("Enter")
    await expect(page.getByRole("menuitem", { name: "Date" })).toBeFocused()
    await key("ArrowDown", "Enter")
    await expect(page.getByRole("menuitem", { name: "PAID" })).toBeFocused()
    await key("Enter")
    await expect(page.getByText("No fee matches the filter.")).toBeVisible()
    await tabTo(button("Clear status filter"))
    await key("Enter")
    await tabTo(filter, 60, true)
    await key("Enter")
    await expect(page.getByRole("menuitem", { name: "Date" })).toBeFocused()
    await key("Enter")
    await expect(page.getByLabel("Dates")).toBeFocused()
    const days = page
      .getByRole("dialog", { name: "Date" })
      .locator("td button[tabindex='0']")
      .first()
    await tabTo(days)
    await key("Enter", "ArrowRight", "Enter")
    await expect(page.getByRole("dialog", { name: "Date" })).toBeHidden()
    await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&to=/)
  },
)

test("an advice is built and previewed", { tag: "@long" }, async () => {
  await page.goto("/home/advice")
  await expect(page.getByLabel("Client code")).toBeFocused()
  await page.keyboard.type(CODE)
  const targets = page.getByLabel(/^Target Allocation of/)
  await expect(targets.first()).toBeVisible()
  await tabTo(targets.first())
  await page.keyboard.type("4")
  await key("ArrowDown")
  await expect(targets.nth(1)).toBeFocused()
  await page.keyboard.type("3")
  await key("Enter")
  await expect(targets.first()).toHaveValue(/4\.00/)
  await expect(targets.nth(1)).toHaveValue(/3\.00/)
  await tabTo(button("Preview"), 120)
  await key("Enter")
  await expect(page).toHaveURL(/advice-preview$/)
  await expect(page.getByText("Total Buy", { exact: true }).first()).toBeVisible()
  await tabTo(button("Back"))
  await key("Enter")
  await expect(targets.first()).toHaveValue(/4\.00/)
  await key("Control+Enter")
  await expect(page.getByText("Funds to add", { exact: true })).toBeVisible()
})
