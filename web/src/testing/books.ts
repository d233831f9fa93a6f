import type { components } from "@/api/schema"
import { chooseClient } from "@/api/session"
import { holding, portfolio } from "./clients"
import { answer, answerWith } from "./server"

type Portfolio = components["schemas"]["Portfolio"]
type Holding = components["schemas"]["HoldingRow"]
type Transaction = components["schemas"]["TransactionRow"]
type Returns = components["schemas"]["ClientReturns"]
type SpanReturn = components["schemas"]["SpanReturn"]
type DayValue = components["schemas"]["DayValue"]
type BenchmarkData = components["schemas"]["BenchmarkFigures"]
type Totals = Record<"currentValue" | "invested" | "pnl" | "pnlPercentage", number>

const client = "/admin/clients/client/id-1"

/** Sample books of the client "id-1", as the server answers them. */
export const transaction = (change: Partial<Transaction> = {}): Transaction => ({
  _id: "flow-1",
  date: "2026-03-02",
  amount: 50_000,
  type: "FUNDS_ADDED",
  version: 1,
  ...change,
})

export const span = (change: Partial<SpanReturn> = {}): SpanReturn => ({
  span: "SINCE_START",
  since: "2024-11-21",
  days: 730,
  grossPercentage: 15.27,
  netPercentage: 13.1,
  grossYearlyPercentage: 7.37,
  netYearlyPercentage: 6.35,
  isEstimated: false,
  reason: null,
  ...change,
})

const unknown = {
  since: null,
  days: null,
  grossPercentage: null,
  netPercentage: null,
  grossYearlyPercentage: null,
  netYearlyPercentage: null,
}

export const returns = (change: Partial<Returns> = {}): Returns => ({
  success: true,
  data: [
    { date: "2026-11-21", amount: 1_250_000, fees: 0, kind: "PORTFOLIO_VALUE" },
    { date: "2026-06-01", amount: -2_500.5, fees: 2_500.5, kind: "FEE_PAID" },
    { date: "2026-03-02", amount: -50_000, fees: 0, kind: "FUNDS_ADDED" },
    { date: "2024-11-21", amount: -1_000_000, fees: 0, kind: "STARTING_CAPITAL" },
  ],
  xirrPercentage: 11.8,
  xirrReason: "OK",
  xirrMessage: null,
  absoluteReturnPercentage: null,
  twrPercentage: 15.27,
  xirrPeriod: 2,
  spans: [
    span(),
    span({ span: "1Y", since: "2025-11-21", grossPercentage: 9.1, netPercentage: -1.25 }),
    span({ span: "3Y", ...unknown, reason: "Values are not known that far back." }),
  ],
  maxDrawdown: { percentage: -12.34, peakOn: "2025-09-01", troughOn: "2026-01-15" },
  ...change,
})

export const days: DayValue[] = [
  { date: "2026-11-18", value: 1_200_000, netInvestment: 1_050_000, twrIndex: 112 },
  { date: "2026-11-19", value: 1_210_000, netInvestment: 1_050_000, twrIndex: 113 },
  { date: "2026-11-20", value: 1_250_000.5, netInvestment: 1_050_000, twrIndex: 115 },
]

/** The portfolio of two years beside a total return index. */
export const benchmark = (change: Partial<BenchmarkData> = {}): BenchmarkData => ({
  name: "Nifty 50 TRI",
  kind: "TRI",
  asOf: "2026-11-20",
  since: "2024-11-20",
  sameFlowsValue: 1_237_953.8,
  xirrPercentage: 10.35,
  absoluteReturnPercentage: null,
  twrPercentage: 14.02,
  maxDrawdown: { percentage: -9.5, peakOn: "2025-09-01", troughOn: "2026-01-15" },
  portfolioValue: 1_250_000.5,
  portfolioXirrPercentage: 11.8,
  portfolioAbsoluteReturnPercentage: null,
  portfolioTwrPercentage: 15.27,
  portfolioMaxDrawdown: { percentage: -12.34, peakOn: "2025-09-01", troughOn: "2026-01-15" },
  differencePercentagePoints: 1.45,
  twrDifferencePercentagePoints: 1.25,
  capture: { upPercentage: 104.5, downPercentage: 92, upMonths: 15, downMonths: 8, months: 23 },
  isEstimated: false,
  sameFlowsReason: null,
  reason: null,
  ...change,
})

/** Answers the calls for a client's accounting, returns and performance. */
export function keptBooks(
  flows: Transaction[] = [transaction()],
  clientReturns: Returns = returns(),
  series: DayValue[] = days,
) {
  answer("get", `${client}/accounting`, flows)
  answerWith("get", `${client}/xirr`, clientReturns)
  answer("get", `${client}/performance`, series, { benchmark: null, series: [] })
  answer("get", `${client}/dividends`, [])
}

/** What the calls of Asha's portfolio tab answer. */
interface PortfolioAnswers {
  figures?: Partial<Portfolio>
  stocks?: Holding[]
  totals?: Totals
}

/** Makes Asha the chosen client, and answers the calls of her portfolio tab. */
export function portfolioAnswered({
  figures,
  stocks = [holding()],
  totals = { currentValue: 800_000, invested: 600_000, pnl: 200_000, pnlPercentage: 33.33 },
}: PortfolioAnswers = {}) {
  const pricedAt = "2026-11-20T10:00:00Z"
  chooseClient("id-1", "C0001")
  answer("get", `${client}/portfolio`, portfolio(figures))
  answer("get", `${client}/holdings`, stocks, { totals, stale: [], pricedAt })
  keptBooks()
}
