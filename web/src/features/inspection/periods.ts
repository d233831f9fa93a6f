import { addDays, type Day, type Range } from "@/lib/dates"

/** Years of a pack, at most. */
export const MOST_YEARS = 5

const shifted = (day: Day, years: number): Day => {
  const moved = `${Number(day.slice(0, 4)) + years}${day.slice(4)}`
  // 29 February exists every fourth year alone.
  return moved.endsWith("-02-29") && years % 4 !== 0 ? moved.replace("-02-29", "-03-01") : moved
}

/** The first days of the fiscal years of which there may be an audit, the newest first. */
export function fiscalYears(now: Day): Day[] {
  const year = Number(now.slice(0, 4)) - (now.slice(5) < "04-01" ? 1 : 0)
  return Array.from({ length: MOST_YEARS }, (_, back) => `${year - back}-04-01`)
}

/** The days of a fiscal year, from its 1 April. */
export const fiscalYear = (first: Day): Range => ({
  from: first,
  to: addDays(shifted(first, 1), -1),
})

export const yearName = (first: Day) =>
  `${first.slice(0, 4)}-${String((Number(first.slice(0, 4)) + 1) % 100).padStart(2, "0")}`

const upTo = ({ from, to }: Range, now: Day): Range => ({ from, to: to > now ? now : to })

/** The ranges that inspections ask for. */
export function presets(now: Day): { label: string; range: Range }[] {
  const [current = now, last = now] = fiscalYears(now)
  return [
    { label: "This fiscal year", range: upTo(fiscalYear(current), now) },
    { label: "Last fiscal year", range: fiscalYear(last) },
    {
      label: "Five years",
      range: { from: addDays(shifted(now, -MOST_YEARS), 1), to: now },
    },
  ]
}

/** What is wrong with the days of a pack; "" when nothing is. */
export function faultOf({ from, to }: Range, now: Day): string {
  if (from === "" || to === "") return "Choose the first and the last day."
  if (to < from) return "The last day is before the first."
  if (to > now) return "The last day is in the future."
  return to >= shifted(from, MOST_YEARS) ? "A pack has at most 5 years. Choose fewer days." : ""
}
