/** The arithmetic of the advice form in whole numbers: targets in basis points, money in ten-thousandths of a rupee. */

import {
  type BasisPoints,
  fits,
  hasTarget,
  OVER_100,
  scaleTo,
  spreadRest,
  type Targeted,
  totalOf,
  WHOLE,
} from "@/lib/shares"

export interface AdviceRow extends Targeted {
  tradingSymbol: string
  exchange: string
  isin: string
  instrumentToken: number | null
  quantity: number
  /** The last price the server sent, until a tick comes. */
  ltp: number | null
  /** Time and source of the server's price, if it is too old to advise at. */
  staleAt?: string | null
  /** Shares of a corporate action are not shown by the broker yet; so many cannot be sold. */
  isActionPending?: boolean
  uncredited?: number
  priceSource?: string | null
  product: string
  /** Rupees of the CASH row; null for a stock. */
  amount: number | null
  /** Null: not traded. 0: sell all. */
  target: BasisPoints | null
  /** The target before Auto replaced it with the current share. */
  prevTarget: BasisPoints | null
  /** True while Auto is on. */
  copied: boolean
}

export const CASH = "CASH"

export const refusals = {
  noInvestment: "Please fill in the Investment Value before setting Target Allocation.",
  over100: OVER_100,
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

/** A part of the Investment Value, rounded half up; null when either is unknown. */
export function shareOf(part: bigint | null, investment: number | ""): BasisPoints | null {
  if (part === null || investment === "" || investment <= 0) return null
  const whole = unitsOf(investment)
  const size = part < 0n ? -part : part
  const share = Number((2n * size * BigInt(WHOLE) + whole) / (2n * whole))
  return part < 0n ? -share : share
}

export interface Change {
  rows: AdviceRow[]
  key: string
  target: BasisPoints
  investment: number | ""
}

/** Why a target is not allowed, with the specification's message; null when it is allowed. */
export function refusalOf({ rows, key, target, investment }: Change): string | null {
  if (investment === "" || investment <= 0) return refusals.noInvestment
  const others = rows.filter((row) => keyOf(row) !== key)
  if (!fits(target, others)) return refusals.over100
  const cash = rows.find((row) => isCash(row) && keyOf(row) === key)
  return cash ? refusalOfCash(cash, target, investment) : null
}

function refusalOfCash(row: AdviceRow, target: BasisPoints, investment: number | "") {
  const share = shareOf(amountOf(row, null), investment)
  return target > 0 && share !== null && share < target ? refusals.cash : null
}

/** Why these targets cannot be rebalanced; the Investment Value may have changed since they were set. */
export function refusalOfAll(rows: AdviceRow[], investment: number | ""): string | null {
  if (investment === "" || investment <= 0) return refusals.noInvestment
  if (totalOf(rows) > WHOLE) return refusals.over100
  const cash = rows.find(isCash)
  return cash ? refusalOfCash(cash, cash.target ?? 0, investment) : null
}

/**
 * The target that Auto copies. Rounded shares can add up to more than 100% although the amounts do not: the copy
 * is then reduced to what is left, if rounding alone explains the difference.
 */
export function copiedTarget(rows: AdviceRow[], key: string, share: BasisPoints): BasisPoints {
  const left = WHOLE - totalOf(rows.filter((row) => keyOf(row) !== key))
  const rounding = Math.ceil(rows.length / 2)
  return share > left && share - left <= rounding ? left : share
}

const withTargets = (rows: AdviceRow[], targets: (BasisPoints | null)[]) =>
  rows.map((row, place) => {
    const target = targets[place] ?? null
    return target === row.target ? row : { ...row, target, prevTarget: null, copied: false }
  })

/** Whether the rest of 100% may go to this row: a stock with a target typed by hand. */
const isFillable = (row: AdviceRow) => !isCash(row) && !row.copied && hasTarget(row)

/** The rows over which the rest is spread. */
export const rowsToFill = (rows: AdviceRow[]) => rows.filter(isFillable)

/** Spreads the rest of 100% evenly over the stocks whose target was typed. */
export const fillTheRest = (rows: AdviceRow[]) => withTargets(rows, spreadRest(rows, isFillable))

/** Scales all targets so that they add up to 100%; CASH gets no more than there is. */
export function normalise(rows: AdviceRow[], investment: number | ""): AdviceRow[] {
  const scaled = scaleTo(WHOLE, rows)
  const place = rows.findIndex((row) => isCash(row) && hasTarget(row))
  const cash = rows[place]
  const available = cash ? shareOf(amountOf(cash, null), investment) : null
  const isOver = available !== null && (scaled[place] ?? 0) > available
  if (!isOver || rows.filter(hasTarget).length < 2) return withTargets(rows, scaled)
  const cashTarget = Math.max(0, available)
  const stocks = rows.map((row) => (isCash(row) ? { target: 0 } : row))
  return withTargets(rows, scaleTo(WHOLE - cashTarget, stocks).with(place, cashTarget))
}

/**
 * The current shares of the rows as targets: they add up as the amounts do, with the largest remainders rounded up.
 * CASH is rounded down, since it gets no more than there is. Null for a stock without a price.
 */
export function currentShares(
  rows: AdviceRow[],
  investment: number,
  priceOf: (row: AdviceRow) => number | null,
): (BasisPoints | null)[] {
  const whole = unitsOf(investment)
  const scaled = rows.map((row) => {
    const amount = amountOf(row, priceOf(row))
    return amount === null ? null : (amount < 0n ? 0n : amount) * BigInt(WHOLE)
  })
  const shares = scaled.map((part) => (part === null ? null : Number(part / whole)))
  const total = scaled.reduce<bigint>((sum, part) => sum + (part ?? 0n), 0n) / whole
  const lost = Number(total) - shares.reduce<number>((sum, share) => sum + (share ?? 0), 0)
  const rests = rows.flatMap((row, place) =>
    isCash(row) ? [] : [{ place, rest: (scaled[place] ?? 0n) % whole }],
  )
  rests.sort((first, second) => (first.rest < second.rest ? 1 : first.rest > second.rest ? -1 : 0))
  for (const { place } of rests.slice(0, lost)) shares[place] = (shares[place] ?? 0) + 1
  return shares
}
