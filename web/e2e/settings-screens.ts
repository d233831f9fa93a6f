import { dated, fetching, firstRow, type Screen } from "./screen"

/** The sections of the settings, of which an ADMIN sees all. */
export const settingsScreens: Screen[] = [
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
    name: "Sign-in settings",
    address: "/home/settings?section=signIn",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => page.getByLabel("A confirmation is good for (minutes)"),
  },
  {
    name: "Send checks",
    address: "/home/settings?section=guards",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => page.getByLabel("The sender's certificate has expired"),
  },
  {
    name: "Second approval",
    address: "/home/settings?section=approvals",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => page.getByRole("checkbox", { name: "Advice to one client" }),
  },
  {
    name: "Consent texts",
    address: "/home/settings?section=consents",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => page.getByText(/^Version 1, from/).first(),
  },
  {
    name: "Follow-up settings",
    address: "/home/settings?section=followUp",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => page.getByLabel("Window (business days)"),
  },
  {
    name: "Benchmark settings",
    address: "/home/settings?section=benchmark",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => firstRow(page, "Index values"),
  },
  {
    name: "Past performance settings",
    address: "/home/settings?section=pastPerformance",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => page.getByLabel("Enrolment number"),
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
    name: "Tax rates",
    address: "/home/settings?section=taxRates",
    loading: fetching,
    says: "Failed to fetch data",
    filled: (page) => firstRow(page, "Tax rates").filter({ hasText: "%" }),
  },
]
