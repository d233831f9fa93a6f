import { expect, type Locator, type Page } from "@playwright/test"
import type { takeNetwork } from "./network"

type Network = Awaited<ReturnType<typeof takeNetwork>>

/** A screen of the protected area, and how to check each of its states. */
export interface Screen {
  name: string
  address: string
  /** Goes there while the calls of the screen wait; by default its address is opened. */
  open?: (page: Page, network: Network) => Promise<void>
  /** What is on show while the calls wait. */
  loading: string | RegExp
  /** The sentence of a failure, with the server at fault and with no server at all. */
  says: string | RegExp
  /** What is only there once everything came. */
  filled: (page: Page) => Locator
  /** Asks the server again on screens that do not do so automatically. */
  stir?: (page: Page) => Promise<void>
  /** The word of the button that tries again. */
  retry?: string
}

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true })
const firstRow = (page: Page, table: string) =>
  region(page, `${table}, table`).locator("tbody tr").first()
/** A row that has a date in it, and so is no skeleton. */
const dated = (page: Page, table: string) =>
  firstRow(page, table).filter({ hasText: /\d\d\/\d\d\/\d{4}/ })
const priced = (page: Page, table: string) => firstRow(page, table).filter({ hasText: "₹" })

/** A client of the demo with holdings, flows, fees, orders and advice. */
export const CODE = "C0006"
const fetching = "Fetching data..."

async function typeCode(page: Page) {
  await page.getByLabel("Client code").fill(CODE)
}

/** A draft with one target, from which a rebalance can be asked for. */
async function setTargets(page: Page) {
  await page.goto("/home/advice")
  await typeCode(page)
  const target = page.getByLabel(/^Target Allocation of/).first()
  await target.fill("5")
  await target.press("Enter")
  await expect(target).toHaveValue(/5\.00/)
}

export const screens: Screen[] = [
  {
    name: "Dashboard",
    address: "/home/dashboard",
    loading: fetching,
    says: "An error occurred while fetching dashboard data.",
    filled: (page) => dated(page, "Daily AUM Value"),
  },
  {
    name: "Client Details",
    address: "/home/client/details?sort=name",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => priced(page, "Clients"),
  },
  {
    name: "Readiness",
    address: "/home/readiness",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => firstRow(page, "Readiness").filter({ hasText: /C\d{4}/ }),
  },
  {
    name: "Client profile",
    address: "/home/client/profile",
    loading: fetching,
    says: /^(Something went wrong|Network error)/,
    filled: (page) => page.getByRole("group", { name: "Current Portfolio Value" }).getByText("₹"),
  },
  {
    name: "Client portfolio",
    address: "/home/client/portfolio",
    loading: fetching,
    says: "Failed to fetch client data",
    filled: (page) => priced(page, "Your Holdings"),
  },
  {
    name: "Client fees",
    address: "/home/client/fees",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => dated(page, "Fees"),
  },
  {
    name: "Order Book",
    address: "/home/client/order-book",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => dated(page, "Order Book"),
  },
  {
    name: "Advice History",
    address: "/home/client/advice-history",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => dated(page, "Advice history"),
  },
  {
    name: "Advice form",
    address: "/home/advice",
    open: async (page) => {
      await page.goto("/home/advice")
      await typeCode(page)
    },
    loading: fetching,
    says: `${CODE} has no holdings or cash yet. Import holdings or enter cash.`,
    retry: "Try again",
    filled: (page) => page.getByLabel(/^Target Allocation of/).first(),
  },
  {
    name: "Rebalance",
    address: "/home/advice-rebalance",
    open: async (page, network) => {
      network.fate = "pass"
      await setTargets(page)
      network.fate = "wait"
      await page.getByRole("button", { name: "Rebalance Portfolio" }).click()
    },
    loading: "Rebalancing...",
    says: "Rebalancing failed",
    filled: (page) => page.getByText("Funds to add").first(),
    stir: (page) => page.reload().then(() => undefined),
  },
  {
    name: "Preview",
    address: "/home/advice-preview",
    open: async (page, network) => {
      network.fate = "pass"
      await setTargets(page)
      network.fate = "wait"
      await page.getByRole("button", { name: "Preview" }).click()
    },
    loading: "Rebalancing...",
    says: "Rebalancing failed",
    filled: (page) => page.getByText("Total Buy", { exact: true }).first(),
    stir: (page) => page.reload().then(() => undefined),
  },
  {
    name: "Models",
    address: "/home/models",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => dated(page, "Models"),
  },
  {
    name: "Drift",
    address: "/home/models/drift",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => priced(page, "Drift"),
  },
  {
    name: "Fees",
    address: "/home/fees",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => priced(page, "Fees"),
  },
  {
    name: "Users",
    address: "/home/roles-permission?tab=users",
    loading: fetching,
    says: /^(Failed to fetch|Error fetching) data$/,
    filled: (page) => firstRow(page, "Users").filter({ hasText: "@" }),
  },
  {
    name: "Clients to administer",
    address: "/home/roles-permission?tab=clients",
    loading: fetching,
    says: /^(Failed to fetch|Error fetching) data$/,
    filled: (page) => dated(page, "Clients"),
  },
  {
    name: "Settings",
    address: "/home/settings",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => page.getByText("This session"),
  },
  {
    name: "Firm details",
    address: "/home/settings?section=firm",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => page.getByLabel("Registration number"),
  },
  {
    name: "Fee schedule",
    address: "/home/settings?section=fees",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => dated(page, "Fee schedule"),
  },
  {
    name: "Holidays",
    address: "/home/settings?section=holidays",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) =>
      page.getByRole("region", { name: /^Holidays of/ }).getByRole("cell", { name: /Diwali/ }),
  },
  {
    name: "Charges",
    address: "/home/settings?section=charges",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => firstRow(page, "Charges").filter({ hasText: "%" }),
  },
  {
    name: "Broker list",
    address: "/home/broker-details",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => region(page, "Angel One").getByRole("button", { name: "View" }),
  },
  {
    name: "Broker",
    address: "/home/broker-exchange",
    open: async (page, network) => {
      network.fate = "pass"
      await page.goto("/home/broker-details")
      const view = region(page, "Angel One").getByRole("button", { name: "View" })
      await expect(view).toBeVisible()
      network.fate = "wait"
      await view.click()
    },
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => page.getByLabel("API Key"),
  },
]

export { keepBroker } from "./kept-broker"
