import type { Candidate, ModelVersion, Subscriber } from "@/features/models/types"
import type { Restriction } from "@/features/restrictions/queries"
import type { DriftRow, Model, ModelRow } from "@/parts/models"

/** Sample rows of model portfolios, as the server answers them. */
export const modelRow = (change: Partial<ModelRow> = {}): ModelRow => ({
  _id: "model-1",
  name: "Large Cap Quality",
  status: "ACTIVE",
  version: 1,
  latest: {
    _id: "version-2",
    number: 2,
    createdAt: "2026-11-10T05:00:00Z",
    benchmark: "Nifty 50 TRI",
    stocks: 2,
    cashPercentage: 10,
  },
  subscribers: 3,
  launchedAt: "2026-04-01T05:00:00Z",
  updatedAt: "2026-11-10T05:00:00Z",
  ...change,
})

export const constituent = (tradingSymbol: string, allocationPercentage: number) => ({
  tradingSymbol,
  exchange: "NSE",
  isin: `INE${tradingSymbol}`,
  name: `${tradingSymbol} Limited`,
  instrumentToken: tradingSymbol.length * 1000,
  allocationPercentage,
  ltp: 1500,
  priceAt: "2026-11-20T10:00:00Z",
  priceSource: "NSE_FILE",
  isPriceStale: false,
})

export const modelVersion = (change: Partial<ModelVersion> = {}): ModelVersion => ({
  _id: "version-2",
  number: 2,
  createdAt: "2026-11-10T05:00:00Z",
  author: "Meera Nair",
  rationale: "Software leads.",
  benchmark: "Nifty 50 TRI",
  universe: "The hundred largest",
  selectionMethod: "Return on capital",
  risks: "Few stocks",
  cashPercentage: 10,
  constituents: [constituent("INFY", 50), constituent("TCS", 40)],
  ...change,
})

export const model = (change: Partial<Model> = {}): Model => ({
  ...modelRow(),
  versions: [
    modelVersion(),
    modelVersion({
      _id: "version-1",
      number: 1,
      createdAt: "2026-04-01T05:00:00Z",
      rationale: "Begin with banks.",
      cashPercentage: 0,
      constituents: [constituent("INFY", 60), constituent("HDFCBANK", 40)],
    }),
  ],
  ...change,
})

export const subscriber = (change: Partial<Subscriber> = {}): Subscriber => ({
  _id: "id-1",
  clientId: "C0001",
  name: "Asha Rao",
  status: "ACTIVE",
  investmentValue: null,
  subscribedAt: "2026-04-02T05:00:00Z",
  portfolioValue: 1_000_000,
  ...change,
})

export const candidate = (change: Partial<Candidate> = {}): Candidate => ({
  _id: "id-4",
  clientId: "C0004",
  name: "Kiran Das",
  modelId: null,
  modelName: null,
  ...change,
})

export const driftRow = (change: Partial<DriftRow> = {}): DriftRow => ({
  _id: "id-1",
  clientId: "C0001",
  name: "Asha Rao",
  modelId: "model-1",
  modelName: "Large Cap Quality",
  versionNumber: 2,
  maxDrift: -6.25,
  maxDriftSymbol: "TCS",
  tolerancePercentage: 0.5,
  totalDrift: 7.5,
  investmentValue: 1_000_000,
  cashPercentage: 4,
  outsidePercentage: 0,
  priceMissing: [],
  syncedAt: "2026-11-20T05:00:00Z",
  actionPending: false,
  ...change,
})

export const restriction = (change: Partial<Restriction> = {}): Restriction => ({
  tradingSymbol: "INFY",
  exchange: "NSE",
  isin: "INE009A01021",
  name: "Infosys",
  instrumentToken: 408065,
  kind: "LOCKED",
  minimumPercentage: null,
  maximumPercentage: null,
  reason: "Shares of the employer",
  ...change,
})
