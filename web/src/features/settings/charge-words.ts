import { finePercent, rupees } from "@/lib/format"
import type { ChargeLine } from "./queries"

const charges: Partial<Record<string, string>> = {
  stt: "Securities transaction tax",
  exchange: "Exchange transaction charge",
  protection: "Investor protection fund",
  sebi: "SEBI turnover fee",
  stamp: "Stamp duty",
  gst: "GST",
  brokerage: "Brokerage",
  brokerage_least: "Brokerage, at least",
  brokerage_most: "Brokerage, at most",
  depository: "Depository charge",
}
const brokers: Partial<Record<string, string>> = { ZERODHA: "Zerodha", ANGEL_ONE: "Angel One" }
const sides: Partial<Record<string, string>> = { BUY: "purchases", SELL: "sales" }
const alone: Partial<Record<string, string>> = { purchases: "All purchases", sales: "All sales" }

export const chargeName = ({ charge }: ChargeLine) => charges[charge] ?? charge

/** What a rate applies to: `Zerodha · sales`, or `All orders`. */
export function chargeScope({ broker, exchange, side }: ChargeLine): string {
  const parts = [
    broker === "ANY" ? "" : (brokers[broker] ?? broker),
    exchange === "ANY" ? "" : exchange,
    sides[side] ?? "",
  ].filter(Boolean)
  return parts.length === 1
    ? (alone[parts[0] ?? ""] ?? parts.join())
    : parts.join(" · ") || "All orders"
}

export const chargeRate = ({ rate, unit }: ChargeLine) =>
  unit === "rupees" ? rupees(rate) : finePercent(rate)

/** The key of a rate. */
export const chargeKey = ({ broker, exchange, side, charge }: ChargeLine) =>
  [broker, exchange, side, charge].join("/")
