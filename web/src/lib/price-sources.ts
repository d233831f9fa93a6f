import { dateTime, longDate } from "./dates"

const names: Partial<Record<string, string>> = {
  ZERODHA: "Zerodha",
  ANGEL_ONE: "Angel One",
  SIMULATED: "Simulated",
  NSE_FILE: "NSE closing prices",
  BSE_FILE: "BSE closing prices",
  HOLDINGS_FILE: "Holdings file",
  CLOSE: "Closing prices that came with the product",
}

/** Of these only the day is known. */
const ofADay = new Set(["NSE_FILE", "BSE_FILE", "HOLDINGS_FILE", "CLOSE"])

/** A source of prices as people call it; null is no source at all. */
export const sourceName = (source: string | null | undefined) =>
  source ? (names[source] ?? source) : "No price"

/** The day of a price, and its time where that is known: `20 Nov 2026`, `20/11/2026 11:15 IST`. */
export const priceTime = (at: string | null | undefined, source: string | null | undefined) =>
  source && ofADay.has(source) ? longDate(at) : dateTime(at)

interface Priced {
  priceAt: string | null
  priceSource: string | null
}

/** Each source of some prices with the days or times of its own: never with when they were read. */
export function pricesOf(rows: Priced[]): string {
  const made = new Map<string, string[]>()
  for (const { priceAt, priceSource } of rows) {
    if (priceAt === null || priceSource === null) continue
    made.set(priceSource, [...(made.get(priceSource) ?? []), priceAt])
  }
  return [...made]
    .map(([source, times]) => {
      const inOrder = times.toSorted((time, other) => Date.parse(time) - Date.parse(other))
      const first = priceTime(inOrder[0], source)
      const last = priceTime(inOrder.at(-1), source)
      return `${sourceName(source)}, ${first === last ? first : `${first} to ${last}`}`
    })
    .join("; ")
}
