import { expect, type Page } from "@playwright/test"
import { expectNoFaults } from "./faults"
import { errorsOf } from "./network"
import { test } from "./test"

/** A fresh installation: what each screen says while there is nothing, and the one thing to do about it. */
test.describe.configure({ mode: "serial" })

let page: Page
let pageErrors: string[]

test.beforeAll(async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
  })
  page = await context.newPage()
  pageErrors = errorsOf(page)
  await page.goto("/auth/signup")
  await page.getByLabel("Name").fill("Ananya Kulkarni")
  await page.getByLabel("Email").fill("ananya@empty.example")
  await page.getByRole("textbox", { name: "Password" }).fill("seven-oaks-7")
  await page.getByRole("button", { name: "Get Started" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible()
})

test.afterAll(async () => {
  expect(pageErrors).toEqual([])
  await page.context().close()
})

interface EmptyScreen {
  address: string
  /** The specification's text and the line that says why. */
  says: string[]
  /** The button that does something about it. */
  offers?: string
}

async function expectEmpty({ address, says, offers }: EmptyScreen) {
  await page.goto(address)
  const main = page.getByRole("main")
  for (const text of says) await expect(main.getByText(text, { exact: true }).first()).toBeVisible()
  if (offers) await expect(main.getByRole("button", { name: offers }).last()).toBeEnabled()
  expect(await page.getByRole("alert").allTextContents()).toEqual([])
  await expectNoFaults(page, address)
}

test("the firm without clients", { tag: "@long" }, async () => {
  const screens: EmptyScreen[] = [
    {
      address: "/home/dashboard",
      says: ["No stock data available", "No AUM data available", "No client holds a stock yet."],
    },
    {
      address: "/home/client/details",
      says: ["No Data Available", "Clients you add appear here."],
      offers: "Add New Client",
    },
    {
      address: "/home/readiness",
      says: ["No Data Available", "Active clients appear here after you add them."],
      offers: "Go to Client Details",
    },
    {
      address: "/home/roles-permission?tab=clients",
      says: ["No data available", "Clients you add appear here."],
      offers: "Add New Client",
    },
    {
      address: "/home/roles-permission?tab=clients&view=deleted",
      says: ["No data available", "Deleted clients appear here until you restore them."],
    },
    {
      address: "/home/models",
      says: [
        "No Data Available",
        "A model portfolio is a named list of targets that clients follow.",
      ],
      offers: "New model",
    },
    {
      address: "/home/models/book",
      says: [
        "No Data Available",
        "A rebalance computes the trades of all subscribers of a model at the same prices.",
      ],
      offers: "New rebalance",
    },
    {
      address: "/home/models/drift",
      says: ["No Data Available", "Clients following a model appear here."],
      offers: "Go to Models",
    },
    {
      address: "/home/fees",
      says: ["No Data Available", "Fees are added in a client's Fees tab."],
      offers: "Choose a client",
    },
    {
      address: "/home/advice",
      says: [
        "No Data Available",
        "Type a client code, C and four digits, or a name to load the holdings.",
      ],
      offers: "Choose from all clients",
    },
    {
      address: "/home/advice-rebalance",
      says: ["No Data Available", "Choose a client and set targets first."],
      offers: "Go to Advice",
    },
    {
      address: "/home/advice-preview",
      says: ["No Data Available", "Choose a client and set targets first."],
      offers: "Go to Advice",
    },
    { address: "/home/broker-details", says: ["Not added yet"], offers: "Add Broker" },
  ]
  for (const screen of screens) await test.step(screen.address, () => expectEmpty(screen))
})

test("a list that a search empties can be cleared again", { tag: "@long" }, async () => {
  await page.goto("/home/roles-permission?tab=users")
  await expect(page.getByText("1–1 of 1")).toBeVisible()
  await page.getByLabel("Search users").fill("nobody")
  await expect(page.getByText("Nobody here matches “nobody”.")).toBeVisible()
  await page.getByRole("main").getByRole("button", { name: "Clear search" }).last().click()
  await expect(page.getByText("1–1 of 1")).toBeVisible()
})

test("without a client the tabs lead to the list", { tag: "@long" }, async () => {
  await page.goto("/home/client/portfolio")
  await expect(page.getByRole("heading", { level: 1, name: "Client Details" })).toBeVisible()
})

test("a client without anything", { tag: "@long" }, async () => {
  await page.goto("/home/client/details")
  await page.getByRole("button", { name: "Add New Client" }).first().click()
  const dialog = page.getByRole("dialog", { name: "Add New Client" })
  await dialog.getByLabel("Name").fill("Kavya Menon")
  await dialog.getByLabel("Email").fill("kavya@empty.example")
  await dialog.getByRole("button", { name: "Submit" }).click()
  await expect(dialog).toBeHidden()
  await page.getByRole("cell", { name: "Kavya Menon", exact: true }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Profile" })).toBeVisible()
  const screens: EmptyScreen[] = [
    {
      address: "/home/client/profile",
      says: ["No Data Available", "Notes about this client appear here."],
      offers: "Add remark",
    },
    {
      address: "/home/client/portfolio",
      says: ["No Data Available", "Holdings come from the broker, or from a broker's file."],
      offers: "Import holdings",
    },
    {
      address: "/home/client/fees",
      says: ["No Data Available", "This client's fees appear here."],
      offers: "Add Row",
    },
    {
      address: "/home/client/order-book",
      says: ["No Data Available", "Orders reported by the broker appear here."],
      offers: "Connect the broker",
    },
    {
      address: "/home/client/advice-history",
      says: ["No Data Available", "Advice sent to this client appears here."],
    },
  ]
  for (const screen of screens) await test.step(screen.address, () => expectEmpty(screen))
})
