import type { components } from "@/api/schema"
import { answer } from "./server"
import { signedIn } from "./signed-in"

export const asha = { _id: "0b0e0000-0000-7000-8000-000000000001", name: "Asha Rao" }

const holding = (
  tradingSymbol: string,
  instrumentToken: number,
  quantity: number,
  ltp: number,
) => ({
  tradingSymbol,
  exchange: "NSE",
  isin: `INE${instrumentToken}`,
  instrumentToken,
  quantity,
  pledged: 0,
  averagePrice: ltp,
  ltp,
  currentValue: quantity * ltp,
  pricedAt: "2026-11-20T09:59:58Z",
  priceSource: "SIMULATED",
  isPriceStale: false,
  actionSuspected: false,
  actionPending: false,
  uncredited: 0,
  product: "DELIVERY",
})

/** INFY 60,000, TCS 30,000 and cash 10,000: an Investment Value of one lakh. */
export const ashaHoldings = {
  holdings: [holding("INFY", 408065, 40, 1500), holding("TCS", 2953217, 10, 3000)],
  totalCurrentValue: 90_000,
  cash: 10_000,
  user: asha,
}

const row = {
  exchange: "NSE",
  product: "DELIVERY",
  priceAt: "2026-11-20T09:59:58Z",
  priceSource: "SIMULATED",
  isPriceStale: false,
  additionalInvestmentValue: 0,
  valueToBeFreed: 0,
  charges: 0,
  isDust: false,
  tax: null as components["schemas"]["SaleTaxRow"] | null,
}

/** TCS is bought, ITC not traded, INFY sold: in the order of the server, not of the screen. */
export const ashaRebalance = {
  success: true,
  data: [
    {
      ...row,
      type: "BUY",
      symbol: "TCS",
      currentQuantity: 10,
      quantity: 3,
      newQuantity: 13,
      previousAllocationPercentage: 30,
      allocationPercentage: 40,
      possibleAllocationPercentage: 39,
      ltp: 3000,
      currentInvestmentValue: 30_000,
      additionalInvestmentValue: 9000,
      projectedInvestmentValue: 39_000,
      instrumentToken: 2953217,
      isin: "INE2953217",
      drift: -10,
      cause: "BELOW_TARGET",
      charges: 10.69,
      message: "Underweight: 30 % against a target of 40 %. Buy 3, reaches 39 %",
    },
    {
      ...row,
      type: "HOLD",
      symbol: "ITC",
      currentQuantity: 5,
      quantity: 0,
      newQuantity: 5,
      previousAllocationPercentage: null,
      allocationPercentage: null,
      possibleAllocationPercentage: null,
      ltp: null,
      currentInvestmentValue: null,
      projectedInvestmentValue: null,
      instrumentToken: 424961,
      isin: "INE424961",
      drift: null,
      cause: "NO_PRICE",
      charges: null,
      message: "No price: not traded",
    },
    {
      ...row,
      type: "SELL",
      symbol: "INFY",
      currentQuantity: 40,
      quantity: 7,
      newQuantity: 33,
      previousAllocationPercentage: 60,
      allocationPercentage: 50,
      possibleAllocationPercentage: 49.5,
      ltp: 1500,
      currentInvestmentValue: 60_000,
      valueToBeFreed: 10_500,
      projectedInvestmentValue: 49_500,
      instrumentToken: 408065,
      isin: "INE408065",
      drift: 10,
      cause: "ABOVE_TARGET",
      charges: 36.11,
      message: "Overweight: 60 % against a target of 50 %. Sell 7, leaves 49.5 %",
    },
  ],
  summary: {
    trackingErrorBps: 112.5,
    provedGapBps: 0,
    activeSharePct: 1.5,
    cashAfter: 11_453.2,
    cashAfterPct: 11.45,
    estimatedCharges: 46.8,
    chargesBreakdown: {
      brokerage: 0,
      stt: 20,
      exchange: 0.6,
      sebi: 0.02,
      stamp: 1.35,
      depository: 15.34,
      gst: 9.49,
    },
    chargesBroker: "ZERODHA",
    estimatedTax: null,
    turnoverPct: 9.75,
    fundsToAdd: 0,
    buyValue: 9000,
    sellValue: 10_500,
    trades: 2,
    priceTime: "2026-11-20T10:00:00Z",
  },
  notices: ["ITC has no price and is left as it is"],
  pricedAt: "2026-11-20T10:00:00Z",
  priceSource: {
    sources: ["SIMULATED"],
    oldestAt: null,
    oldestSymbol: null,
    oldestAgeSeconds: null,
    stale: [],
  },
  rebalanceId: "0b0e0000-0000-7000-8000-0000000000aa",
}

const [bought, untraded, sold] = ashaRebalance.data

/** Five stops of Asha's rebalance: both orders, and from the third on the sale alone. */
export const ashaStops = [0, 1, 2, 3, 4].map((stop) => {
  const isFull = stop < 2
  const left = { type: "HOLD", quantity: 0, message: "Hold: left out for fewer orders (10.00 pp)" }
  return {
    stop,
    orders: isFull ? 2 : 1,
    orderDriftPercentage: isFull ? 0 : 10.5,
    summary: isFull
      ? ashaRebalance.summary
      : { ...ashaRebalance.summary, trackingErrorBps: 1000, estimatedCharges: 36.11, trades: 1 },
    notices: ashaRebalance.notices,
    data: isFull ? ashaRebalance.data : [{ ...bought, ...left }, untraded, sold],
  }
})

/** Five stops of Asha's rebalance: both orders, and from the third on the purchase alone, without tax. */
export const ashaTaxStops = [0, 1, 2, 3, 4].map((stop) => {
  const isFull = stop < 2
  const left = { type: "HOLD", quantity: 0, message: "Hold: not sold, for less tax (10.00 pp)" }
  return {
    stop,
    orders: isFull ? 2 : 1,
    tax: isFull ? 3956 : 0,
    summary: isFull
      ? ashaRebalance.summary
      : { ...ashaRebalance.summary, trackingErrorBps: 1000, estimatedTax: 0, trades: 1 },
    notices: ashaRebalance.notices,
    data: isFull ? ashaRebalance.data : [bought, untraded, { ...sold, ...left }],
  }
})

/** Answers what the advice form asks on its own, and the holdings of Asha, C1007. */
export function adviceAnswered() {
  signedIn()
  answer("get", "/admin/broker", { isConnected: false, broker: null, connectedUntil: null })
  answer("get", "/brokers", [])
  return answer("get", "/admin/advice/clients/by-code/:code/holdings", ashaHoldings)
}
