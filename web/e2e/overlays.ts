import { expect, type Page } from "@playwright/test"
import { settle } from "./screen"
import { CODE } from "./screens"

/** Something that opens over a screen, or a state of it that is seldom seen. */
export interface Overlay {
  name: string
  address: string
  open: (page: Page) => Promise<unknown>
  /** A desk alone has it. */
  isOfDesk?: boolean
}

const press = (page: Page, name: string | RegExp) =>
  page
    .getByRole("button", { name, exact: typeof name === "string" })
    .first()
    .click()
const dialog = (page: Page, name: string | RegExp) =>
  expect(page.getByRole("dialog", { name })).toBeVisible()
const menu = (page: Page) => expect(page.getByRole("menu").first()).toBeVisible()

export const overlays: Overlay[] = [
  {
    name: "palette",
    address: "/home/dashboard",
    open: async (page) => {
      await page.keyboard.press("Control+K")
      await expect(page.getByPlaceholder("Client code, name, stock or screen")).toBeFocused()
      await page.keyboard.type(CODE)
      await expect(page.getByText(`Send advice to ${CODE}`)).toBeVisible()
    },
  },
  {
    name: "keys",
    address: "/home/dashboard",
    open: (page) => page.keyboard.press("Shift+?").then(() => dialog(page, "Help")),
  },
  {
    name: "letters not delivered",
    address: "/home/dashboard?undelivered=true",
    open: (page) => dialog(page, "Letters that could not be delivered"),
  },
  {
    name: "account menu",
    address: "/home/dashboard",
    open: (page) => press(page, /^Account of/).then(() => menu(page)),
  },
  {
    name: "table options",
    address: "/home/client/details",
    open: (page) => press(page, "Table options: Clients").then(() => menu(page)),
  },
  {
    name: "row menu",
    address: "/home/client/details",
    open: (page) => press(page, /^Actions for/).then(() => menu(page)),
  },
  {
    name: "advice in the follow-up",
    address: "/home/follow-up",
    open: async (page) => {
      await page
        .getByText(/C\d{4}/)
        .first()
        .click()
      await dialog(page, /^Follow-up of/)
      await expect(page.getByText("Implementation shortfall")).toBeVisible()
    },
  },
  {
    name: "imports",
    address: "/home/client/details",
    open: (page) => press(page, "More").then(() => menu(page)),
  },
  {
    name: "import of clients",
    address: "/home/client/details",
    open: async (page) => {
      await press(page, "More")
      await page.getByRole("menuitem", { name: "Import clients" }).click()
      await dialog(page, "Import clients")
    },
  },
  {
    name: "a list with nothing found",
    address: "/home/client/details?query=nobody-has-this-name",
    open: (page) => expect(page.getByText("No Data Available")).toBeVisible(),
  },
  {
    name: "new clients with faults",
    address: "/home/client/details",
    open: async (page) => {
      await press(page, "Add New Client")
      await page.getByRole("dialog").getByRole("button", { name: "Submit" }).click()
      await expect(page.getByText("Name is required")).toBeVisible()
    },
  },
  {
    name: "a new user",
    address: "/home/roles-permission?tab=users",
    open: (page) => press(page, "Add New User").then(() => dialog(page, "Add New User")),
  },
  {
    name: "an edited client",
    address: "/home/roles-permission?tab=clients",
    open: async (page) => {
      await press(page, /^Actions for/)
      await page.getByRole("menuitem", { name: "Edit" }).click()
      await dialog(page, "Edit Client")
    },
  },
  {
    name: "status of a client",
    address: "/home/roles-permission?tab=clients",
    open: async (page) => {
      await press(page, /^Actions for/)
      await page.getByRole("menuitem", { name: "Status" }).click()
      await expect(page.getByRole("menuitem", { name: "Inactive" })).toBeVisible()
    },
  },
  {
    name: "the question before a deletion",
    address: "/home/roles-permission?tab=clients",
    open: async (page) => {
      await press(page, /^Actions for/)
      await page.getByRole("menuitem", { name: "Status" }).click()
      await page.getByRole("menuitem", { name: "Delete" }).click()
      await dialog(page, /^Delete/)
    },
  },
  {
    name: "deleted clients",
    address: "/home/roles-permission?tab=clients&view=deleted",
    open: (page) =>
      expect(page.getByText(/Deleted clients appear here|[1-9]\d*–\d+ of \d+/)).toBeVisible(),
  },
  {
    name: "a calendar",
    address: "/home/client/order-book",
    open: async (page) => {
      await press(page, "Filter")
      const entry = page.getByRole("menuitem", { name: "Date" })
      await expect(entry.or(page.getByLabel("Dates"))).toBeVisible()
      if (await entry.isVisible()) await entry.click()
      await expect(page.getByLabel("Dates")).toBeVisible()
    },
  },
  {
    name: "a range of payments",
    address: "/home/fees?from=2020-01-01&to=2020-01-31",
    open: (page) => page.getByRole("textbox", { name: "Payment History" }).focus(),
  },
  {
    name: "a new fee with faults",
    address: "/home/client/fees",
    open: async (page) => {
      await press(page, "Add Row")
      await expect(page.getByLabel("Starting Value")).toHaveValue(/₹/)
      await press(page, "Save")
      await expect(page.getByText("Please fill all required fields.")).toBeVisible()
    },
  },
  {
    name: "a new transaction with faults",
    address: "/home/client/portfolio",
    open: async (page) => {
      const table = page.getByRole("region", { name: "Accounting", exact: true })
      const add = table.getByRole("button", { name: "Add Row" }).first()
      await expect(add).toBeEnabled()
      await settle(page)
      await add.click()
      await table.getByRole("button", { name: "Save" }).click()
      await expect(page.getByText("Please enter a valid amount")).toBeVisible()
    },
  },
  {
    name: "starting date",
    address: "/home/client/portfolio",
    open: async (page) => {
      const card = page.getByRole("group", { name: "Starting From", exact: true })
      await card.getByRole("button").click()
      await dialog(page, "Select Date")
    },
  },
  {
    name: "a written remark",
    address: "/home/client/profile",
    open: (page) => press(page, "Add remark"),
  },
  {
    name: "found stocks",
    address: "/home/advice",
    open: async (page) => {
      await page.getByLabel("Search stock to add").fill("info")
      await expect(page.getByRole("option").first()).toBeVisible()
    },
  },
  {
    name: "options of the advice",
    address: "/home/advice-rebalance",
    open: (page) =>
      press(page, /Options/).then(() => expect(page.getByLabel(/Skip trades/)).toBeVisible()),
  },
  {
    name: "the sending",
    address: "/home/advice-rebalance",
    open: (page) => press(page, "Send").then(() => dialog(page, "Send advice")),
  },
  {
    name: "a version of the fee schedule",
    address: "/home/settings?section=fees",
    open: (page) => press(page, "Add version").then(() => dialog(page, "Add version")),
  },
  {
    name: "a version of the charges",
    address: "/home/settings?section=charges",
    open: (page) => press(page, "Add version").then(() => dialog(page, "Add version")),
  },
  {
    name: "a holiday with faults",
    address: "/home/settings?section=holidays",
    open: (page) =>
      press(page, "Add holiday").then(() =>
        expect(page.getByText("Please select a valid date")).toBeVisible(),
      ),
  },
  {
    name: "an inspection pack",
    address: "/home/compliance/packs",
    open: (page) => press(page, "Make a pack").then(() => dialog(page, "Make a pack")),
  },
  {
    name: "an obligation with a file that the product makes",
    address: "/home/compliance?obligation=complaint_table",
    open: (page) =>
      expect(page.getByRole("button", { name: "Make the file" }).first()).toBeVisible(),
  },
  {
    name: "the second factor",
    address: "/home/settings",
    open: (page) => press(page, "Set up").then(() => dialog(page, /second factor/)),
  },
  {
    name: "no such page",
    address: "/home/nowhere",
    open: (page) => expect(page.getByText("This page does not exist")).toBeVisible(),
  },
]
