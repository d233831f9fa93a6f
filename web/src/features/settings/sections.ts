/** The sections of the settings, in order; all but the first are only for an ADMIN. */
export const sections = {
  profile: "Profile",
  firm: "Firm details",
  disclosures: "Disclosures",
  rationales: "Rationales",
  guards: "Send checks",
  approvals: "Second approval",
  teams: "Teams",
  consents: "Consent texts",
  mail: "Mail",
  signIn: "Sign-in",
  followUp: "Follow-up",
  fees: "Fee schedule",
  invoices: "Invoices",
  holidays: "Holidays",
  prices: "Prices",
  charges: "Charges",
  taxRates: "Tax rates",
  benchmark: "Benchmark",
  pastPerformance: "Past performance",
} as const

/** The tabs: the sections, and the audit trail, which is a screen of its own. */
export const tabs = { ...sections, audit: "Audit trail" } as const

export type Section = keyof typeof sections

export const isSection = (text: unknown): text is Section =>
  typeof text === "string" && Object.hasOwn(sections, text)
