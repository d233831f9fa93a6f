import { today } from "@/lib/dates"
import type { Disposal, EntryKind, Gains, LotRow, SurchargeClass } from "./queries"

export const sourceWords: Record<LotRow["source"], string> = {
  TRADE: "Trade",
  INFERRED: "Inferred from holdings",
  HAND: "Entered",
  BONUS: "Bonus",
  DEMERGER: "Demerger",
  MERGER: "Merger",
}

export const termWords: Record<NonNullable<Disposal["term"]>, string> = {
  SHORT: "Short-term",
  LONG: "Long-term",
}

export const disposalWords: Record<Disposal["kind"], string> = {
  SALE: "",
  BUYBACK: "Buyback",
  FRACTION: "Fraction paid out",
}

export const entryWords: Record<EntryKind, string> = {
  BOUGHT: "Came in",
  BUYBACK: "Bought back by the company",
  OUT: "Transferred out",
}

export const classWords: Record<SurchargeClass | "", string> = {
  "": "Not stated (30% slab, no surcharge)",
  UP_TO_50_LAKH: "Up to ₹50 lakh (no surcharge)",
  UP_TO_1_CRORE: "₹50 lakh to ₹1 crore",
  ABOVE_1_CRORE: "Above ₹1 crore",
}

const wayWords = {
  SHORT_FIRST: "short-term loss against short-term gains first",
  LONG_FIRST: "short-term loss against long-term gains first",
}

/** Which way of set-off is the better one, or that it makes no difference. */
export function betterWay(tax: NonNullable<Gains["tax"]>): string {
  const taxes = new Set(tax.ways.map((way) => way.tax))
  return taxes.size === 1 ? "Both ways of set-off are equal" : `Better: ${wayWords[tax.better]}`
}

const FIRST_YEAR = 2018
const APRIL = 4

const yearOf = (first: number) => `${String(first)}-${String((first + 1) % 100).padStart(2, "0")}`

/** The tax years from the present one back to 2018-19, as in `2026-27`. */
export function taxYears(day = today()): string[] {
  const [year = FIRST_YEAR, month = APRIL] = day.split("-").map(Number)
  const present = month >= APRIL ? year : year - 1
  const length = Math.max(1, present - FIRST_YEAR + 1)
  return Array.from({ length }, (_, back) => yearOf(present - back))
}
