/** The sums of a model's targets, in whole basis points; what they leave of 100% is cash. */

import { apportion, type BasisPoints, WHOLE } from "@/lib/shares"

export interface Constituent {
  symbol: string
  exchange: string
  name: string
  isin: string
  instrumentToken: number | null
  /** Null while none is set. */
  target: BasisPoints | null
}

export const OVER_100 = "Total target allocation cannot exceed 100%"

export const keyOf = ({ exchange, symbol }: { exchange: string; symbol: string }) =>
  `${exchange}:${symbol}`

export const totalOf = (rows: { target: BasisPoints | null }[]): BasisPoints =>
  rows.reduce((sum, { target }) => sum + (target ?? 0), 0)

/** Why this target may not stand in that row; null when it may. */
export function refusalOf(rows: Constituent[], key: string, target: BasisPoints): string | null {
  const others = totalOf(rows.filter((row) => keyOf(row) !== key))
  return target < 0 || others + target > WHOLE ? OVER_100 : null
}

export const withTarget = (rows: Constituent[], key: string, target: BasisPoints | null) =>
  rows.map((row) => (keyOf(row) === key ? { ...row, target } : row))

const isSet = ({ target }: Constituent) => (target ?? 0) > 0
export const rowsToFill = (rows: Constituent[]) => rows.filter(isSet)

/** Spreads what is left of 100% evenly over the stocks that have a target. */
export function fillTheRest(rows: Constituent[]): Constituent[] {
  const added = apportion(
    Math.max(0, WHOLE - totalOf(rows)),
    rows.map((row) => (isSet(row) ? 1 : 0)),
  )
  return rows.map((row, place) =>
    isSet(row) ? { ...row, target: (row.target ?? 0) + (added[place] ?? 0) } : row,
  )
}

/** Scales all targets so that they add up to 100%. */
export function normalise(rows: Constituent[]): Constituent[] {
  const scaled = apportion(
    WHOLE,
    rows.map(({ target }) => target ?? 0),
  )
  return rows.map((row, place) => (isSet(row) ? { ...row, target: scaled[place] ?? 0 } : row))
}

/** The same share for every stock, to the last hundredth of a percent. */
export function spreadEvenly(rows: Constituent[]): Constituent[] {
  const even = apportion(
    WHOLE,
    rows.map(() => 1),
  )
  return rows.map((row, place) => ({ ...row, target: even[place] ?? 0 }))
}

export interface Difference {
  key: string
  symbol: string
  exchange: string
  /** Null where a version does not have the stock. */
  before: BasisPoints | null
  after: BasisPoints | null
  change: BasisPoints
}

type Weighed = Pick<Constituent, "symbol" | "exchange" | "target">

/** What one version changes of another: the largest change first; what stays as it was comes last. */
export function differencesOf(before: Weighed[], after: Weighed[]): Difference[] {
  const old = new Map(before.map((row) => [keyOf(row), row]))
  const young = new Map(after.map((row) => [keyOf(row), row]))
  const all = new Map([...old, ...young])
  return [...all]
    .map(([key, { symbol, exchange }]) => {
      const [one, other] = [old.get(key)?.target ?? null, young.get(key)?.target ?? null]
      const change = (other ?? 0) - (one ?? 0)
      return { key, symbol, exchange, before: one, after: other, change }
    })
    .sort(
      (one, other) =>
        Math.abs(other.change) - Math.abs(one.change) || one.symbol.localeCompare(other.symbol),
    )
}
