import type { components } from "@/api/schema"

type Schemas = components["schemas"]

const rateLine = (change: Partial<Schemas["TaxRateLine"]> = {}): Schemas["TaxRateLine"] => ({
  effectiveOn: "2024-07-23",
  item: "short_term",
  value: "20",
  unit: "percent",
  source: "Finance (No. 2) Act 2024",
  ...change,
})

/** The lines of rates that a firm has in force, as the server answers them. */
export const rateLines = [
  rateLine(),
  rateLine({ item: "exemption", value: "125000", unit: "rupees", effectiveOn: "2024-04-01" }),
  rateLine({ item: "holding_period", value: "12", unit: "months" }),
  rateLine({ item: "section_short_term", value: "196 (111A)", unit: "text" }),
  rateLine({ item: "grandfathered_until", value: "2018-01-31", unit: "date" }),
]

export const disposal = (change: Partial<Schemas["DisposalRow"]> = {}): Schemas["DisposalRow"] => ({
  kind: "SALE",
  isin: "INE009A01021",
  tradingSymbol: "INFY",
  quantity: 10,
  soldOn: "2026-07-01",
  boughtOn: "2024-01-03",
  term: "LONG",
  proceeds: 16_000,
  cost: 10_000,
  gain: 6_000,
  reason: null,
  reasonText: "",
  ...change,
})

const way = (change: Partial<Schemas["SetOffRow"]>): Schemas["SetOffRow"] => ({
  way: "SHORT_FIRST",
  short: 100_000,
  long: 250_000,
  shortLoss: 0,
  longLoss: 0,
  taxedLong: 125_000,
  exemptionLeft: 0,
  tax: 37_050,
  ...change,
})

/** A client's tax year: the example of both ways of set-off. */
export const gainsOf = (change: Partial<Schemas["Gains"]> = {}): Schemas["Gains"] => ({
  year: "2026-27",
  first: "2026-04-01",
  last: "2027-03-31",
  taxClass: { income: null, version: 0 },
  rates: {
    shortTerm: 20,
    longTerm: 12.5,
    exemption: 125_000,
    sections: {},
    lines: rateLines,
  },
  schedule: [],
  disposals: [disposal()],
  unknownDisposals: 0,
  realised: { shortGain: 200_000, shortLoss: 100_000, longGain: 300_000, longLoss: 50_000 },
  tax: {
    better: "SHORT_FIRST",
    ways: [way({}), way({ way: "LONG_FIRST", tax: 44_850 })],
  },
  usedExemption: 125_000,
  unusedExemption: 0,
  dividends: 0,
  speculation: 0,
  unknownSpeculations: 0,
  unrealised: { shortGain: 0, shortLoss: 0, longGain: 0, longLoss: 0 },
  unknownStocks: [],
  harvestable: [],
  tradesLeftOut: 0,
  notes: ["Arithmetic, not tax advice."],
  ...change,
})

export const lotRow = (change: Partial<Schemas["LotRow"]> = {}): Schemas["LotRow"] => ({
  quantity: 8,
  boughtOn: "2026-06-03",
  cost: 12_000,
  source: "TRADE",
  demat: "",
  known: true,
  isLongTerm: false,
  longTermOn: "2027-06-04",
  daysToLongTerm: 196,
  gain: 800,
  tax: 166.4,
  ...change,
})

export const lotEntry = (change: Partial<Schemas["EntryRow"]> = {}): Schemas["EntryRow"] => ({
  _id: "entry-1",
  kind: "BOUGHT",
  isin: "INE009A01021",
  quantity: 3,
  boughtOn: "2020-05-04",
  movedOn: "2020-05-04",
  amount: 2_100,
  demat: "",
  ...change,
})

export const lotsOf = (
  lots = [lotRow()],
  entries: Schemas["EntryRow"][] = [],
): Schemas["Lots"] => ({
  asOf: "2026-11-20",
  taxClass: { income: null, version: 0 },
  stocks: [
    {
      isin: "INE009A01021",
      tradingSymbol: "INFY",
      name: "Infosys Ltd.",
      quantity: 8,
      lotQuantity: 8,
      ltp: 1_600,
      known: true,
      reason: null,
      reasonText: "",
      shortGain: 800,
      longGain: 0,
      harvest: null,
      lots,
    },
  ],
  entries,
  tradesLeftOut: 0,
  notes: [],
})
