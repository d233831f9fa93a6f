/** Target shares in whole numbers, so that they add up exactly. */

/** Hundredths of a percent: 750 is 7.50%. */
export type BasisPoints = number

export const WHOLE: BasisPoints = 10_000
/** Above this a meter is near its limit. */
export const NEAR_LIMIT: BasisPoints = 9_950

export const OVER_100 = "Total target allocation cannot exceed 100%"

export const basisPointsOf = (percent: number): BasisPoints => Math.round(percent * 100)
export const percentOf = (points: BasisPoints) => points / 100

/** Splits a whole in proportion to the weights, the largest remainders first; the parts add up to the whole. */
export function apportion(whole: number, weights: number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  if (sum === 0) return weights.map(() => 0)
  const parts = weights.map((weight) => Math.floor((whole * weight) / sum))
  const rests = weights.map((weight, place) => ({ place, rest: (whole * weight) % sum }))
  rests.sort((first, second) => second.rest - first.rest || first.place - second.place)
  const lost = whole - parts.reduce((total, part) => total + part, 0)
  for (const { place } of rests.slice(0, lost)) parts[place] = (parts[place] ?? 0) + 1
  return parts
}

export interface Targeted {
  /** Null while none is set. */
  target: BasisPoints | null
}

export const hasTarget = ({ target }: Targeted) => (target ?? 0) > 0

export const totalOf = (rows: Targeted[]): BasisPoints =>
  rows.reduce((sum, { target }) => sum + (target ?? 0), 0)

/** Whether a target fits into 100% beside those of the other rows. */
export const fits = (target: BasisPoints, others: Targeted[]) =>
  target >= 0 && totalOf(others) + target <= WHOLE

/** The targets after the rest of 100% is spread evenly over the rows chosen by `isChosen`. */
export function spreadRest<Row extends Targeted>(
  rows: Row[],
  isChosen: (row: Row) => boolean,
): (BasisPoints | null)[] {
  const added = apportion(
    Math.max(0, WHOLE - totalOf(rows)),
    rows.map((row) => (isChosen(row) ? 1 : 0)),
  )
  return rows.map((row, place) =>
    isChosen(row) ? (row.target ?? 0) + (added[place] ?? 0) : row.target,
  )
}

/** The targets scaled in proportion so that they add up to `whole`; rows without a target keep none. */
export function scaleTo(whole: BasisPoints, rows: Targeted[]): (BasisPoints | null)[] {
  const scaled = apportion(
    whole,
    rows.map(({ target }) => target ?? 0),
  )
  return rows.map((row, place) => (hasTarget(row) ? (scaled[place] ?? 0) : row.target))
}
