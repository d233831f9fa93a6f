/** Shares of a whole in whole numbers, so that targets add up exactly. */

/** Hundredths of a percent: 750 is 7.50%. */
export type BasisPoints = number

export const WHOLE: BasisPoints = 10_000
/** Above this a meter is near its limit. */
export const NEAR_LIMIT: BasisPoints = 9_950

export const basisPointsOf = (percent: number): BasisPoints => Math.round(percent * 100)
export const percentOf = (points: BasisPoints) => points / 100

/** Splits a whole in proportion to the weights, the largest remainders first; nothing is lost. */
export function apportion(whole: number, weights: number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0)
  if (sum === 0) return weights.map(() => 0)
  const parts = weights.map((weight) => Math.floor((whole * weight) / sum))
  const rests = weights.map((weight, place) => ({ place, rest: (whole * weight) % sum }))
  rests.sort((one, other) => other.rest - one.rest || one.place - other.place)
  const lost = whole - parts.reduce((total, part) => total + part, 0)
  for (const { place } of rests.slice(0, lost)) parts[place] = (parts[place] ?? 0) + 1
  return parts
}
