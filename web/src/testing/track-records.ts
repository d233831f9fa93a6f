import type { CallRow, CallsRecord } from "@/features/calls/queries"
import type { TrackRecord } from "@/features/models/types"

const figures = {
  since: "2026-11-16",
  until: "2026-11-20",
  percentage: 6,
  yearlyPercentage: null,
  drawdown: { percentage: -2.5, peakOn: "2026-11-17", troughOn: "2026-11-18" },
}

const line = (percentage: number) => ({ ...figures, percentage, drawdown: null })

/** The track record of a model, as the server answers it. */
export const trackRecord = (change: Partial<TrackRecord> = {}): TrackRecord => ({
  _id: "model-1",
  name: "Large Cap Quality",
  madeAt: "2026-11-20T10:30:00Z",
  isCurrent: true,
  launchedOn: "2026-11-16",
  asOf: "2026-11-20",
  benchmark: { name: "Nifty 50 TRI", kind: "TRI" },
  series: [
    { date: "2026-11-16", model: 100, benchmark: 100, followers: 100 },
    { date: "2026-11-17", model: 108, benchmark: 101, followers: 101 },
    { date: "2026-11-18", model: 105.3, benchmark: 101.5, followers: 102 },
    { date: "2026-11-19", model: null, benchmark: 101.8, followers: 103 },
    { date: "2026-11-20", model: 106, benchmark: 102, followers: 104.5 },
  ],
  versions: [
    { number: 1, releasedAt: "2026-11-16T04:30:00Z", on: "2026-11-16" },
    { number: 2, releasedAt: "2026-11-20T11:30:00Z", on: null },
  ],
  unknown: [{ from: "2026-11-19", to: "2026-11-19", days: 1, symbols: ["ITC"] }],
  figures,
  besideBenchmark: { line: line(2), model: figures, differencePercentagePoints: 4 },
  followers: { line: line(4.5), model: figures, differencePercentagePoints: 1.5 },
  followersEqual: { line: line(5), model: figures, differencePercentagePoints: 1 },
  composite: [
    {
      month: "2026-10-01",
      accounts: 7,
      value: 1_250_000,
      assetGross: 2.5,
      equalGross: 2.1,
      assetNet: 2.4,
      equalNet: 2,
      dispersion: 0.35,
    },
  ],
  subscribers: 8,
  partial: 1,
  words: "For internal use.",
  ...change,
})

export const callRow = (change: Partial<CallRow> = {}): CallRow => ({
  _id: "run-1.INE467B01029",
  isin: "INE467B01029",
  tradingSymbol: "TCS",
  exchange: "NSE",
  model: "Large Cap Quality",
  clients: 22,
  sentAt: "2026-10-05T05:30:00Z",
  endedAt: null,
  entry: { price: 3020, on: "2026-10-05", at: "2026-10-05T05:31:10Z", kind: "PRICE" },
  exit: { price: 3322, on: "2026-11-20", at: null, kind: "LAST_CLOSE" },
  state: "OPEN",
  verdict: "HIT",
  days: 46,
  grossPercentage: 10,
  netPercentage: 9.75,
  benchmarkPercentage: 3,
  differencePercentagePoints: 6.75,
  whyUnknown: null,
  ...change,
})

export const callsRecord = (change: Partial<CallsRecord> = {}): CallsRecord => ({
  benchmark: { name: "Nifty 50 TRI", kind: "TRI" },
  whyNoBenchmark: null,
  hits: { hits: 8, count: 12, percentage: 66.67, low: 39.06, high: 86.19 },
  gains: { hits: 9, count: 12, percentage: 75, low: 46.77, high: 91.11 },
  meanPercentage: 4.2,
  meanDifferencePercentagePoints: 1.1,
  total: 13,
  open: 5,
  unknown: 1,
  exits: 3,
  models: ["Large Cap Quality"],
  words: "For internal use.",
  calls: [callRow()],
  pagination: { currentPage: 1, totalPages: 1, totalUsers: 1, limit: 20 },
  ...change,
})
