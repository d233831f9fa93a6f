import type { Question, StockRow, Tile } from "@/features/follow-up/queries"
import {
  type ExecutedLine,
  type Execution,
  type FollowUpRow,
  statesInOrder,
} from "@/parts/follow-up"
import { pageOf } from "./clients"
import { answer } from "./server"
import { signedIn } from "./signed-in"

/** An advice that was acted on in part: 80 of 100 shares, as in the example of the design. */
export const followUpRow = (change: Partial<FollowUpRow> = {}): FollowUpRow => ({
  _id: "advice-1",
  userId: "id-1",
  clientId: "C0001",
  name: "Asha Rao",
  modelName: "Large Cap Quality",
  sentAt: "2026-11-19T04:30:00Z",
  windowEndsOn: "2026-11-26",
  isOver: false,
  state: "PART",
  followedPercentage: 80,
  advisedValue: 25_000,
  filledValue: 20_000,
  shortfall: { amount: 253.9, bps: 101.56, price: 130, notTraded: 100, charges: 23.9 },
  minutesToFirstFill: 45,
  minutesToNinety: 365,
  readAt: "2026-11-19T05:00:00Z",
  acknowledgedAt: null,
  reminders: 1,
  openQuestions: 1,
  followUp: null,
  lines: null,
  ...change,
})

export const executedLine = (change: Partial<ExecutedLine> = {}): ExecutedLine => ({
  place: 0,
  isin: "INE009A01021",
  tradingSymbol: "INFY",
  exchange: "NSE",
  side: "BUY",
  advisedQuantity: 100,
  advisedPrice: 250,
  filledQuantity: 80,
  averagePrice: 251.625,
  status: "PARTIAL",
  statusText: "80 of 100 traded.",
  shortfall: { amount: 253.9, bps: 101.56 },
  shortfallGap: null,
  slippageBps: 65,
  fills: [
    {
      tradeId: "75000001",
      at: "2026-11-19T05:15:00Z",
      quantity: 60,
      price: 251.5,
      source: "BROKER",
    },
    { tradeId: "", at: "2026-11-20T05:15:00Z", quantity: 20, price: 252, source: "INFERRED" },
  ],
  beyondAdvice: 0,
  ...change,
})

export const execution = (change: Partial<Execution> = {}): Execution => ({
  adviceId: "advice-1",
  clientId: "id-1",
  clientCode: "C0001",
  name: "Asha Rao",
  modelName: "Large Cap Quality",
  sentAt: "2026-11-19T04:30:00Z",
  windowEndsOn: "2026-11-26",
  isOver: false,
  state: "PART",
  followedPercentage: 80,
  advisedValue: 25_000,
  filledValue: 20_000,
  shortfall: { amount: 253.9, bps: 101.56, price: 130, notTraded: 100, charges: 23.9 },
  shortfallGap: null,
  minutesToFirstFill: 45,
  minutesToNinety: 365,
  readAt: "2026-11-19T05:00:00Z",
  acknowledgedAt: null,
  followUp: null,
  hasOwnDraft: false,
  reminders: [{ number: 1, sentAt: "2026-11-20T04:00:00Z" }],
  responses: [],
  lines: [executedLine()],
  ownTrades: [],
  ...change,
})

export const question = (change: Partial<Question> = {}): Question => ({
  _id: "question-1",
  adviceId: "advice-1",
  sentAt: "2026-11-19T04:30:00Z",
  userId: "id-1",
  clientId: "C0001",
  name: "Asha Rao",
  at: "2026-11-20T06:00:00Z",
  language: "EN",
  text: "Why sell ITC now?",
  lines: [],
  reply: "",
  repliedAt: null,
  repliedBy: null,
  ...change,
})

export const stockRow = (change: Partial<StockRow> = {}): StockRow => ({
  isin: "INE009A01021",
  tradingSymbol: "INFY",
  lines: 14,
  acted: 11,
  actedPercentage: 78.57,
  medianSlippageBps: 6,
  p90SlippageBps: 41.25,
  advisedValue: 1_250_000,
  filledValue: 980_000,
  daysOfVolume: 3.4,
  ...change,
})

/** A tile for every state; those not named are empty. */
export const tiles = (change: Partial<Record<Tile["state"], Partial<Tile>>> = {}): Tile[] =>
  statesInOrder.map((state) => ({
    state,
    count: 0,
    advisedValue: 0,
    filledValue: 0,
    ...change[state],
  }))

/** Answers the board's list; returns its calls. */
export function boardAnswered(rows: FollowUpRow[], role: "ADMIN" | "USER" = "ADMIN") {
  signedIn(role)
  return answer("get", "/admin/follow-up", rows, {
    ...pageOf(rows.length),
    tiles: tiles({
      ACTED: { count: 11, advisedValue: 4_500_000, filledValue: 4_500_000 },
      PART: { count: 2, advisedValue: 125_000, filledValue: 90_000 },
      IGNORED: { count: 1, advisedValue: 60_000 },
    }),
    models: ["Large Cap Quality", "Mid Cap Growth"],
  })
}
