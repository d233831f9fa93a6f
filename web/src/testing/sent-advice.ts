import type { SentAdvice } from "@/features/advice/advice-history-queries"

/** Where the history of the client `id-1` is asked for. */
export const historyPath = "/admin/advice/clients/id-1"

export const stock = (
  symbol: string,
  change: Partial<SentAdvice["stocks"][number]> = {},
): SentAdvice["stocks"][number] => ({
  type: "BUY",
  symbol,
  exchange: "NSE",
  product: "DELIVERY",
  isin: "INE009A01021",
  instrumentToken: 1,
  quantity: 40,
  allocationPercentage: 10,
  possibleAllocationPercentage: 9.87,
  drift: -0.13,
  message: "",
  note: "",
  ltp: 1600,
  currentInvestmentValue: 12_345.6,
  additionalInvestmentValue: 64_000,
  valueToBeFreed: 0,
  projectedInvestmentValue: 76_345.6,
  ...change,
})

export const advice = (id: string, change: Partial<SentAdvice> = {}): SentAdvice => ({
  _id: id,
  // Still the 19th in London, already the 20th in India.
  createdAt: "2026-11-19T20:30:00Z",
  totalStocks: 2,
  totalInvestedValue: 1_000_000,
  totalBuyValue: 64_000,
  totalSellValue: 20_000,
  buyValue: 64_000,
  sellValue: 20_000,
  rationale: "",
  delivery: { status: "SENT", at: "2026-11-19T20:31:00Z", error: null },
  stocks: [stock("INFY"), stock("ITC", { type: "SELL", quantity: 1200 })],
  ...change,
})
