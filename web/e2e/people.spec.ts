import { expect, type Page } from "@playwright/test"
import { Desk, ask } from "./desk"
import { expectNoFaults } from "./faults"
import { test } from "./test"

/** Roles & Permission at the demo firm: people come, change, leave and come back. */

// Every run adds people of its own, so that it can be run again on the same firm.
const run = Date.now().toString(36)
const mail = (name: string) => `${name}.${run}@e2e.example`

async function openTab(page: Page, tab: "Users" | "Clients", query = "") {
  await page.goto(`/home/roles-permission?tab=${tab.toLowerCase()}&query=${query}`)
  await expect(page.getByRole("tab", { name: tab })).toHaveAttribute("aria-selected", "true")
}

async function choose(page: Page, name: string, ...words: string[]) {
  await page.getByRole("button", { name: `Actions for ${name}` }).click()
  for (const word of words) await page.getByRole("menuitem", { name: word, exact: true }).click()
}

async function addOne(page: Page, kind: "User" | "Client", name: string, email: string) {
  await page
    .getByRole("button", { name: `Add New ${kind}` })
    .first()
    .click()
  const dialog = page.getByRole("dialog", { name: `Add New ${kind}` })
  await dialog.getByLabel("Name").fill(name)
  await dialog.getByLabel("Email").fill(email)
  await dialog.getByRole("button", { name: "Submit" }).click()
  await expect(page.getByText(`${kind} created successfully`)).toBeVisible()
  await expect(dialog).toBeHidden()
}

const row = (page: Page, name: string) => page.getByRole("row", { name: new RegExp(name) })

/** The figure on a card of the dashboard. */
async function totalClients(page: Page) {
  await page.goto("/home/dashboard")
  const card = page.getByText("Total Clients", { exact: true }).locator("../..")
  await expect(card).toContainText(/\d/)
  return Number(/\d+/.exec(await card.innerText())?.[0])
}

test("a client is added, edited, switched off, deleted and restored, and the firm's count follows", async ({
  page,
}) => {
  await Desk.signIn(page)
  const before = await totalClients(page)
  await openTab(page, "Clients")
  await addOne(page, "Client", `Lata ${run}`, mail("lata"))
  await openTab(page, "Clients", run)
  await expect(row(page, `Lata ${run}`)).toContainText(/C\d{4}/)
  await expectNoFaults(page, "clients")

  await choose(page, `Lata ${run}`, "Edit")
  const dialog = page.getByRole("dialog", { name: "Edit Client" })
  await expect(dialog.getByLabel("Email")).toBeDisabled()
  await dialog.getByLabel("Contact number").fill("9876543210")
  await expectNoFaults(page, "edit client")
  await dialog.getByRole("button", { name: "Submit" }).click()
  await expect(page.getByText("Client updated successfully")).toBeVisible()
  await expect(row(page, `Lata ${run}`)).toContainText("+91 9876543210")
  expect(await totalClients(page)).toBe(before + 1)

  await openTab(page, "Clients", run)
  await choose(page, `Lata ${run}`, "Status", "Inactive")
  await expect(row(page, `Lata ${run}`)).toContainText("INACTIVE")
  await expect(page.getByText("Client updated successfully")).toBeVisible()
  expect(await totalClients(page)).toBe(before)

  await openTab(page, "Clients", run)
  await choose(page, `Lata ${run}`, "Status", "Active")
  await expect(page.getByText("Client updated successfully")).toBeVisible()
  await choose(page, `Lata ${run}`, "Status", "Delete")
  await page.getByRole("button", { name: "OK" }).click()
  await expect(page.getByText("Client deleted successfully")).toBeVisible()
  await expect(page.getByText("No data available")).toBeVisible()
  await page.goto(`/home/client/details?query=${run}`)
  await expect(page.getByText("No Data Available")).toBeVisible()
  expect(await totalClients(page)).toBe(before)

  await openTab(page, "Clients", run)
  await page.getByRole("button", { name: "Deleted" }).click()
  await choose(page, `Lata ${run}`, "Restore")
  await expect(page.getByText("Client restored successfully")).toBeVisible()
  await page.getByRole("button", { name: "Current" }).click()
  await expect(row(page, `Lata ${run}`)).toContainText("ACTIVE")
  expect(await totalClients(page)).toBe(before + 1)
})

test(
  "a user is invited, logs in with the temporary password, and is out once switched off",
  { tag: "@long" },
  async ({ page, browser }) => {
    await Desk.signIn(page)
    await openTab(page, "Users")
    await addOne(page, "User", `Nikhil ${run}`, mail("nikhil"))
    const told = page.getByRole("dialog", { name: "Temporary passwords" })
    const password = await told.locator("code").innerText()
    expect(password).toHaveLength(20)
    await expectNoFaults(page, "temporary passwords")
    await told.getByRole("button", { name: "Done" }).click()
    await page
      .getByRole("dialog", { name: "Close without copying?" })
      .getByRole("button", { name: "Close", exact: true })
      .last()
      .click()
    await expect(told).toBeHidden()

    const elsewhere = await browser.newContext()
    const other = await elsewhere.newPage()
    const login = { method: "POST", data: { email: mail("nikhil"), password } }
    const entry = (await (await ask(other, "/auth/login", login)).json()) as {
      accessToken: string
      data: { isFirstTimeLogin: boolean }
    }
    expect(entry.data.isFirstTimeLogin).toBe(true)
    const asked = () =>
      ask(other, "/auth/verify-token", {
        headers: { Authorization: `Bearer ${entry.accessToken}` },
      })
    expect((await asked()).status()).toBe(200)

    await openTab(page, "Users", run)
    await expectNoFaults(page, "users")
    await choose(page, `Nikhil ${run}`, "Status", "Inactive")
    await expect(page.getByText("User updated successfully")).toBeVisible()
    expect((await asked()).status()).toBe(401)
    await page.getByRole("button", { name: "Undo" }).click()
    await expect(row(page, `Nikhil ${run}`)).not.toContainText("INACTIVE")
    expect((await asked()).status()).toBe(401)

    await choose(page, `Nikhil ${run}`, "Status", "Delete")
    await page.getByRole("button", { name: "OK" }).click()
    await expect(page.getByText("User deleted successfully")).toBeVisible()
    await page.getByRole("button", { name: "Undo" }).last().click()
    await expect(row(page, `Nikhil ${run}`)).toBeVisible()
    await elsewhere.close()
  },
)

test(
  "of two who edit one record, the second sees an error, keeps the form, and reloads",
  { tag: "@long" },
  async ({ page, browser }) => {
    const desk = await Desk.signIn(page)
    await desk.addClients(`Shared ${run}`)
    const context = await browser.newContext()
    const colleague = await context.newPage()
    await Desk.signIn(colleague, "USER")
    await openTab(page, "Clients", `Shared ${run}`)
    await openTab(colleague, "Clients", `Shared ${run}`)
    await choose(page, `Shared ${run}`, "Edit")
    await choose(colleague, `Shared ${run}`, "Edit")
    await colleague.getByLabel("Contact number").fill("9000000001")
    await colleague.getByRole("button", { name: "Submit" }).click()
    await expect(colleague.getByText("Client updated successfully")).toBeVisible()

    await page.getByLabel("Contact number").fill("9000000002")
    await page.getByRole("button", { name: "Submit" }).click()

    await expect(
      page.getByText("This record was changed by someone else. Reload and try again."),
    ).toBeVisible()
    await expect(page.getByLabel("Contact number")).toHaveValue("9000000002")
    await expectNoFaults(page, "conflict")
    await page.getByRole("button", { name: "Reload" }).click()
    await expect(page.getByLabel("Contact number")).toHaveValue("9000000001")
    await page.getByLabel("Contact number").fill("9000000002")
    await page.getByRole("button", { name: "Submit" }).click()
    await expect(page.getByText("Client updated successfully")).toBeVisible()
    await expect(row(page, `Shared ${run}`)).toContainText("+91 9000000002")
    await context.close()
  },
)

test("a USER has the Clients tab alone", { tag: "@long" }, async ({ page }) => {
  await Desk.signIn(page, "USER")
  await page.goto("/home/roles-permission?tab=users")
  await expect(page.getByRole("tab")).toHaveCount(1)
  await expect(page.getByRole("tab", { name: "Clients" })).toBeVisible()
  await expect(page.getByText(/1–10 of/)).toBeVisible()
  await page.keyboard.press("g")
  await page.keyboard.press("d")
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible()
  await page.keyboard.press("g")
  await page.keyboard.press("r")
  await expect(page.getByRole("heading", { level: 1, name: "Roles & Permission" })).toBeVisible()
})
