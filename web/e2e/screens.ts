import { expect, type Page } from "@playwright/test"
import { dated, fetching, firstRow, priced, region, type Screen } from "./screen"
import { registerScreens } from "./register-screens"
import { settingsScreens } from "./settings-screens"

/** A client of the demo with holdings, flows, fees, orders and advice. */
export const CODE = "C0006"

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
    name: "Client tax",
    address: "/home/client/tax",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => page.getByRole("group", { name: "Exemption used" }).getByText("₹").first(),
  },
  {
    name: "Approvals",
    address: "/home/approvals",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => page.getByText(/Requests appear here\.$/),
  },
  {
    name: "Papers",
    address: "/home/client/papers",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => dated(page, "Consents"),
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
    name: "Follow-up",
    address: "/home/follow-up",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => dated(page, "Advice sent"),
  },
  {
    name: "Follow-up by stock",
    address: "/home/follow-up/stocks",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => priced(page, "Follow-up by stock"),
  },
  {
    name: "Questions",
    address: "/home/follow-up/questions",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => dated(page, "Questions"),
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
    name: "Calls",
    address: "/home/models/calls",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => firstRow(page, "Calls"),
  },
  {
    name: "Corporate actions",
    address: "/home/corporate-actions",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => firstRow(page, "Corporate actions"),
  },
  {
    name: "Compliance",
    address: "/home/compliance",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => firstRow(page, "Obligations"),
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
  ...settingsScreens,
  ...registerScreens,
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
