import { percent } from "./format"

export type RestrictionKind = "LOCKED" | "NEVER_BUY" | "RANGE"

interface Restricted {
  kind: RestrictionKind
  minimumPercentage: number | null
  maximumPercentage: number | null
}

export const kindWords: Record<RestrictionKind, string> = {
  LOCKED: "Locked",
  NEVER_BUY: "Never buy",
  RANGE: "Range",
}

/** A restriction in a few words: "Locked", "2.00% to 8.00%", "at most 8.00%". */
export function restrictionWords(restriction: Restricted): string {
  const { kind, minimumPercentage: least, maximumPercentage: most } = restriction
  if (kind !== "RANGE") return kindWords[kind]
  if (least === null) return `at most ${percent(most)}`
  return most === null ? `at least ${percent(least)}` : `${percent(least)} to ${percent(most)}`
}
