import type { Advice, AdviceDraft, Rebalance, RebalanceRow } from "./draft"
import { rupeesOf, unitsOf } from "./targets"

type TradedRow = RebalanceRow & {
  ltp: number
  allocationPercentage: number
  possibleAllocationPercentage: number
  currentInvestmentValue: number
  projectedInvestmentValue: number
}

/** True of what is sent: BUY and SELL. Only a row with a price is ever traded. */
export const isTraded = (row: RebalanceRow): row is TradedRow =>
  row.type !== "HOLD" && row.ltp !== null

const sumOf = (figures: number[]) =>
  rupeesOf(figures.reduce((sum, figure) => sum + unitsOf(figure), 0n))

/** The worth of one side's stocks once traded, as the product defines its totals. */
export const worthOf = (rows: RebalanceRow[], type: "BUY" | "SELL") =>
  sumOf(rows.map((row) => (row.type === type ? (row.projectedInvestmentValue ?? 0) : 0)))

/** The rupees of a row's order, whichever its side; null for HOLD. */
export const tradedValue = (row: RebalanceRow) =>
  row.type === "SELL"
    ? row.valueToBeFreed
    : row.type === "BUY"
      ? row.additionalInvestmentValue
      : null

/** What is sent: the trades as they are shown. HOLD rows are left out. */
export function adviceOf(answer: Rebalance, advice: AdviceDraft): Advice {
  const { client, investment, rationale, disclosures } = advice
  const stocks = answer.data.filter(isTraded)
  return {
    userId: client?.id ?? "",
    totalStocks: stocks.length,
    totalInvestedValue: investment,
    totalBuyValue: worthOf(stocks, "BUY"),
    totalSellValue: worthOf(stocks, "SELL"),
    stocks: stocks.map((row) => ({
      type: row.type,
      symbol: row.symbol,
      exchange: row.exchange,
      product: row.product,
      quantity: row.quantity,
      instrumentToken: row.instrumentToken,
      allocationPercentage: row.allocationPercentage,
      possibleAllocationPercentage: row.possibleAllocationPercentage,
      drift: row.drift,
      message: row.message,
      ltp: row.ltp,
      currentInvestmentValue: row.currentInvestmentValue,
      additionalInvestmentValue: row.additionalInvestmentValue,
      projectedInvestmentValue: row.projectedInvestmentValue,
    })),
    rebalanceId: answer.rebalanceId,
    rationale: rationale.trim(),
    disclosures,
  }
}
