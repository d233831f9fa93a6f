/** The sums of the advice form, in whole numbers: targets in basis points, money in ten-thousandths of a rupee. */

import { apportion, type BasisPoints, WHOLE } from "@/lib/shares"

export {
  apportion,
  type BasisPoints,
  basisPointsOf,
  NEAR_LIMIT,
  percentOf,
  WHOLE,
} from "@/lib/shares"

export interface AdviceRow {
  tradingSymbol: string
  exchange: string
  isin: string
  instrumentToken: number | null
  quantity: number
  /** What the server last knew, until a tick comes. */
  ltp: number | null
  /** When the server's price was made and by whom, where that is too old to advise at. */
  staleAt?: string | null
  priceSource?: string | null
  product: string
  /** Rupees of the CASH row; null for a stock. */
  amount: number | null
  /** Null while none is set: the holding is then left alone. 0 sells all of it. */
  target: BasisPoints | null
  /** The target before Auto copied the share over it. */
  prevTarget: BasisPoints | null
  /** True while Auto is on. */
  copied: boolean
}

export const CASH = "CASH"

export const refusals = {
  noInvestment: "Please fill in the Investment Value before setting Target Allocation.",
  over100: "Total target allocation cannot exceed 100%",
  cash: "For CASH, % Allocation must be greater than or equal to Target Allocation.",
} as const

const UNITS = 10_000

export const unitsOf = (rupees: number) => BigInt(Math.round(rupees * UNITS))
export const rupeesOf = (units: bigint) => Number(units) / UNITS

export const isCash = (row: AdviceRow) => row.tradingSymbol === CASH
export const keyOf = (row: { tradingSymbol: string; exchange: string }) =>
  row.tradingSymbol === CASH ? CASH : `${row.exchange}:${row.tradingSymbol}`

/** What a row is worth now, in units; null for a stock without a price. */
export function amountOf(row: AdviceRow, price: number | null): bigint | null {
  if (isCash(row)) return unitsOf(row.amount ?? 0)
  if (row.quantity === 0) return 0n
  return price === null ? null : unitsOf(price) * BigInt(row.quantity)
}

/** A part of the Investment Value, rounded half up; null when either is not known. */
export function shareOf(part: bigint | null, investment: number | ""): BasisPoints | null {
  if (part === null || investment === "" || investment <= 0) return null
  const whole = unitsOf(investment)
  const size = part < 0n ? -part : part
  const share = Number((2n * size * BigInt(WHOLE) + whole) / (2n * whole))
  return part < 0n ? -share : share
}

export const totalOf = (rows: AdviceRow[]): BasisPoints =>
  rows.reduce((sum, row) => sum + (row.target ?? 0), 0)

export interface Change {
  rows: AdviceRow[]
  key: string
  target: BasisPoints
  investment: number | ""
}

/** Why a target may not be set, in the product's words; null when it may. */
export function refusalOf({ rows, key, target, investment }: Change): string | null {
  if (investment === "" || investment <= 0) return refusals.noInvestment
  const others = totalOf(rows.filter((row) => keyOf(row) !== key))
  if (target < 0 || others + target > WHOLE) return refusals.over100
  const cash = rows.find((row) => isCash(row) && keyOf(row) === key)
  return cash ? refusalOfCash(cash, target, investment) : null
}

function refusalOfCash(row: AdviceRow, target: BasisPoints, investment: number | "") {
  const share = shareOf(amountOf(row, null), investment)
  return target > 0 && share !== null && share < target ? refusals.cash : null
}

/** Why these targets may not be rebalanced; the Investment Value may have changed since they were set. */
export function refusalOfAll(rows: AdviceRow[], investment: number | ""): string | null {
  if (investment === "" || investment <= 0) return refusals.noInvestment
  if (totalOf(rows) > WHOLE) return refusals.over100
  const cash = rows.find(isCash)
  return cash ? refusalOfCash(cash, cash.target ?? 0, investment) : null
}

/**
 * The target that Auto copies. Shares rounded half up may together pass 100% though the money does not:
 * then the copy is what is left, as long as rounding alone explains the difference.
 */
export function copiedTarget(rows: AdviceRow[], key: string, share: BasisPoints): BasisPoints {
  const left = WHOLE - totalOf(rows.filter((row) => keyOf(row) !== key))
  const rounding = Math.ceil(rows.length / 2)
  return share > left && share - left <= rounding ? left : share
}

const withTargets = (rows: AdviceRow[], targets: Map<string, BasisPoints>) =>
  rows.map((row) => {
    const target = targets.get(keyOf(row))
    if (target === undefined || target === row.target) return row
    return { ...row, target, prevTarget: null, copied: false }
  })

/** The rows over which what is left is spread: stocks with a target typed by hand. */
export const rowsToFill = (rows: AdviceRow[]) =>
  rows.filter((row) => !isCash(row) && !row.copied && (row.target ?? 0) > 0)

/** Spreads what is left of 100% evenly over the stocks whose target was typed. */
export function fillTheRest(rows: AdviceRow[]): AdviceRow[] {
  const chosen = rowsToFill(rows)
  const added = apportion(
    Math.max(0, WHOLE - totalOf(rows)),
    chosen.map(() => 1),
  )
  const targets = chosen.map(
    (row, place) => [keyOf(row), (row.target ?? 0) + (added[place] ?? 0)] as const,
  )
  return withTargets(rows, new Map(targets))
}

/** Scales all targets so that they add up to 100%; CASH takes no more than there is. */
export function normalise(rows: AdviceRow[], investment: number | ""): AdviceRow[] {
  const chosen = rows.filter((row) => (row.target ?? 0) > 0)
  let scaled = apportion(
    WHOLE,
    chosen.map((row) => row.target ?? 0),
  )
  const cashPlace = chosen.findIndex(isCash)
  const cash = chosen[cashPlace]
  const most = cash ? shareOf(amountOf(cash, null), investment) : null
  if (most !== null && chosen.length > 1 && (scaled[cashPlace] ?? 0) > most) {
    const atMost = Math.max(0, most)
    scaled = apportion(
      WHOLE - atMost,
      chosen.map((row) => (isCash(row) ? 0 : (row.target ?? 0))),
    )
    scaled[cashPlace] = atMost
  }
  const targets = chosen.map((row, place) => [keyOf(row), scaled[place] ?? 0] as const)
  return withTargets(rows, new Map(targets))
}
