import { createStore } from "./store"

/** What the person sees where a figure is not known. */
export const missing = "-"
/** Replaces a sum while amounts are hidden for screen sharing. */
export const hidden = "₹••••"

export type Figure = number | null | undefined

/** True while every rupee is shown as dots; screens re-read their sums when it changes. */
export const amountsHidden = createStore(false)

const CRORE = 1e7
const LAKH = 1e5

const fixed = (digits: number, more: Intl.NumberFormatOptions = {}) =>
  new Intl.NumberFormat("en-IN", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    ...more,
  })
const signed: Intl.NumberFormatOptions = { signDisplay: "exceptZero" }
const two = fixed(2)
const twoSigned = fixed(2, signed)
const money = fixed(2, { style: "currency", currency: "INR" })
const moneySigned = fixed(2, { style: "currency", currency: "INR", ...signed })
const whole = fixed(0)
const wholeSigned = fixed(0, signed)
const wholeMoney = fixed(0, { style: "currency", currency: "INR" })
const prices = fixed(2, { maximumFractionDigits: 4 })
const fine = fixed(2, { maximumFractionDigits: 8 })
const rate = fixed(0, { maximumFractionDigits: 8 })

/** Drops the sign of numbers that round to zero at two digits, so that `-0.00` is never shown. */
const settled = (value: number) => (Math.abs(value) < 0.005 ? 0 : value)
const known = (value: Figure): value is number =>
  typeof value === "number" && Number.isFinite(value)

/** Rupees in full: `₹12,34,567.89`; `-` when not known. */
export function rupees(value: Figure): string {
  if (!known(value)) return missing
  return amountsHidden.get() ? hidden : money.format(settled(value))
}

/** Rupees with a sign: `+₹4,17,666.83`; zero has none. */
export function signedRupees(value: Figure): string {
  if (!known(value)) return missing
  return amountsHidden.get() ? hidden : moneySigned.format(settled(value))
}

/** Rupees for headlines and axes: `₹46.51 Cr`, `₹12.40 L`, `₹9,840`. The full sum goes beside it. */
export function shortRupees(value: Figure): string {
  if (!known(value)) return missing
  if (amountsHidden.get()) return hidden
  const size = Math.abs(value)
  if (size >= CRORE - 500) return `${money.format(value / CRORE)} Cr`
  if (size >= LAKH - 0.5) return `${money.format(value / LAKH)} L`
  return wholeMoney.format(settled(value))
}

/** Short rupees with a sign: `+₹3.10 L`. */
export function signedShortRupees(value: Figure): string {
  const short = shortRupees(value)
  return known(value) && value > 0 && short !== hidden ? `+${short}` : short
}

/** A share of a whole, given in percent: `12.40%`. */
export const percent = (value: Figure) =>
  known(value) ? `${two.format(settled(value))}%` : missing

/** A rate in percent, with two to eight decimals, as small charges need them: `0.00297%`. */
export const finePercent = (value: Figure) => (known(value) ? `${fine.format(value)}%` : missing)

/** A change in percent: `+12.23%`. */
export const signedPercent = (value: Figure) =>
  known(value) ? `${twoSigned.format(settled(value))}%` : missing

/** A difference of two percentages: `+1.45 pp`. */
export const percentagePoints = (value: Figure) =>
  known(value) ? `${signedPercent(value).slice(0, -1)} pp` : missing

/** A sentence in which no line ends between a number and its percent sign. */
export const unbrokenPercents = (sentence: string) => sentence.replaceAll(" %", "\u00a0%")

/** Whole shares: `1,20,000`. */
export const quantity = (value: Figure) => (known(value) ? whole.format(value) : missing)

/** A change in whole shares: `+20`. */
export const signedQuantity = (value: Figure) =>
  known(value) ? wholeSigned.format(value) : missing

/** Rupees a share without the sign of the currency, two to four decimals: `1,432.55`. */
export const price = (value: Figure) => (known(value) ? prices.format(value) : missing)

/** A plain number with two decimals: `2.74`. */
export const decimal = (value: Figure) => (known(value) ? two.format(settled(value)) : missing)

/** Digits grouped as lakh and crore, however many: `1,20,000`; none stay none. */
export const groupedDigits = (digits: string) => (digits === "" ? "" : whole.format(BigInt(digits)))

/** Rupees in a field, never hidden here: whole ones without paise, others with both: `₹1,00,000`, `₹0.50`. */
export const fieldRupees = (value: number) =>
  (Number.isInteger(value) ? wholeMoney : money).format(value)

/** A rate in a field, with the decimals that it has, at most eight: `0.00297`. */
export const fieldRate = (value: number) => rate.format(value)

/** Basis points: `6.00 bp`. */
export const basisPoints = (value: Figure) =>
  known(value) ? `${two.format(settled(value))} bp` : missing

/** Minutes of trading as hours and minutes: `45 min`, `6 h 05 min`. */
export function tradingTime(minutes: Figure): string {
  if (!known(minutes)) return missing
  const hours = Math.floor(minutes / 60)
  const rest = String(minutes % 60)
  return hours === 0 ? `${rest} min` : `${whole.format(hours)} h ${rest.padStart(2, "0")} min`
}

/** A count of things: `237`. */
export const count = quantity

/** The colour class of a change: zero and unknown stay neutral. */
export function tone(value: Figure): "gain" | "loss" | undefined {
  if (!known(value) || settled(value) === 0) return undefined
  return value > 0 ? "gain" : "loss"
}
