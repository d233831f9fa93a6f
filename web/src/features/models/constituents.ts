/** The targets of a model's stocks; the rest of 100% is cash. */
import {
  apportion,
  type BasisPoints,
  fits,
  hasTarget,
  OVER_100,
  scaleTo,
  spreadRest,
  type Targeted,
  WHOLE,
} from "@/lib/shares"

export interface Constituent extends Targeted {
  symbol: string
  exchange: string
  name: string
  isin: string
  instrumentToken: number | null
}

/** Most stocks of a version. */
export const MAX_STOCKS = 100

export const keyOf = ({ exchange, symbol }: { exchange: string; symbol: string }) =>
  `${exchange}:${symbol}`

/** Why this target is refused for that row; null when it is not. */
export const refusalOf = (rows: Constituent[], key: string, target: BasisPoints): string | null =>
  fits(
    target,
    rows.filter((row) => keyOf(row) !== key),
  )
    ? null
    : OVER_100

export const withTarget = (rows: Constituent[], key: string, target: BasisPoints | null) =>
  rows.map((row) => (keyOf(row) === key ? { ...row, target } : row))

const withTargets = (rows: Constituent[], targets: (BasisPoints | null)[]) =>
  rows.map((row, place) => ({ ...row, target: targets[place] ?? null }))

/** Spreads the rest of 100% evenly over the stocks that have a target. */
export const fillTheRest = (rows: Constituent[]) => withTargets(rows, spreadRest(rows, hasTarget))

/** Scales all targets so that they add up to 100%. */
export const normalise = (rows: Constituent[]) => withTargets(rows, scaleTo(WHOLE, rows))

/** Gives every stock the same share, to the last hundredth of a percent. */
export const spreadEvenly = (rows: Constituent[]) =>
  withTargets(
    rows,
    apportion(
      WHOLE,
      rows.map(() => 1),
    ),
  )

export interface Difference {
  key: string
  symbol: string
  exchange: string
  /** Null where a version does not have the stock. */
  before: BasisPoints | null
  after: BasisPoints | null
  change: BasisPoints
}

type Weighted = Pick<Constituent, "symbol" | "exchange" | "target">

/** The differences between two versions: the largest change first, unchanged stocks last. */
export function differencesOf(before: Weighted[], after: Weighted[]): Difference[] {
  const oldRows = new Map(before.map((row) => [keyOf(row), row]))
  const newRows = new Map(after.map((row) => [keyOf(row), row]))
  return [...new Map([...oldRows, ...newRows])]
    .map(([key, { symbol, exchange }]) => {
      const oldTarget = oldRows.get(key)?.target ?? null
      const newTarget = newRows.get(key)?.target ?? null
      const change = (newTarget ?? 0) - (oldTarget ?? 0)
      return { key, symbol, exchange, before: oldTarget, after: newTarget, change }
    })
    .sort(
      (first, second) =>
        Math.abs(second.change) - Math.abs(first.change) ||
        first.symbol.localeCompare(second.symbol),
    )
}
