import { missing } from "./format"

/** A calendar day as text, `yyyy-MM-dd`. A day is never a `Date`: it has no time zone to shift it. */
export type Day = string

const INDIA = "Asia/Kolkata"
const dayParts = new Intl.DateTimeFormat("en-CA", {
  timeZone: INDIA,
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
})
const clock = new Intl.DateTimeFormat("en-GB", {
  timeZone: INDIA,
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
})
const weekdays = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", weekday: "long" })
const monthNames = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ")
const iso = /^(\d{4})-(\d{2})-(\d{2})/
const indian = /^(\d{2})[-/](\d{2})[-/](\d{4})$/
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The day of `yyyy-MM-dd`, `dd-MM-yyyy` or `dd/MM/yyyy`; null when there is no such day. */
export function parseDay(text: string | null | undefined): Day | null {
  const written = text?.trim() ?? ""
  const isoParts = iso.exec(written)
  const [year, month, date] = isoParts
    ? [isoParts[1], isoParts[2], isoParts[3]]
    : (indian.exec(written)?.slice(1).reverse() ?? [])
  if (!year || !month || !date) return null
  const instant = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)))
  const day = `${year}-${month}-${date}`
  return !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(day) ? day : null
}

const typed = /^(\d{1,2})[-/. ](\d{1,2})[-/. ](\d{4})$|^(\d{2})(\d{2})(\d{4})$/

/** The day that somebody typed: as `parseDay`, and also `5-3-2026`, `05.03.2026` or `05032026`. */
export function readDay(text: string): Day | null {
  const parts = typed.exec(text.trim())?.slice(1).filter(Boolean)
  return parseDay(parts ? parts.map((part) => part.padStart(2, "0")).join("-") : text)
}

/** The day in India on which an instant falls. */
export const dayInIndia = (instant: Date): Day => dayParts.format(instant)

/** Today in India. */
export const today = (now = new Date()): Day => dayInIndia(now)

/** The calendar day of a wire value: a day stays itself, an instant is read in India. */
function dayOf(text: string | null | undefined): Day | null {
  if (!text) return null
  if (!text.includes("T")) return parseDay(text)
  const instant = new Date(text)
  return Number.isNaN(instant.getTime()) ? null : dayInIndia(instant)
}

const written = (text: string | null | undefined, between: string) => {
  const day = dayOf(text)
  return day ? day.split("-").reverse().join(between) : missing
}

/** A date for tables: `20/11/2026`. */
export const date = (text: string | null | undefined) => written(text, "/")

/** A date for range labels and fields: `20-11-2026`. */
export const dashedDate = (text: string | null | undefined) => written(text, "-")

/** `20-11-2026 – 30-11-2026`. */
export const dateRange = (from: Day | null, to: Day | null) =>
  from && to ? `${dashedDate(from)} – ${dashedDate(to)}` : missing

/** A date in words: `14 Feb 2024`. */
export function longDate(text: string | null | undefined): string {
  const [year, month, day] = dayOf(text)?.split("-") ?? []
  return year && month && day
    ? `${Number(day)} ${monthNames[Number(month) - 1] ?? ""} ${year}`
    : missing
}

/** The month of a day: `Nov 2026`. */
export function monthName(text: string | null | undefined): string {
  const [year, month] = dayOf(text)?.split("-") ?? []
  return year && month ? `${monthNames[Number(month) - 1] ?? ""} ${year}` : missing
}

/** The time of an instant in India: `15:30`. */
export function time(text: string | null | undefined): string {
  const instant = new Date(text ?? Number.NaN)
  return Number.isNaN(instant.getTime()) ? missing : clock.format(instant)
}

/** `20/11/2026 15:30 IST`. */
export const dateTime = (text: string | null | undefined) =>
  time(text) === missing ? missing : `${date(text)} ${time(text)} IST`

/** How long ago an instant was, in its largest unit: `3 days ago`. */
export function age(text: string | null | undefined, now = new Date()): string {
  const instant = new Date(text ?? Number.NaN)
  if (Number.isNaN(instant.getTime())) return missing
  const seconds = Math.max(0, Math.floor((now.getTime() - instant.getTime()) / 1000))
  const [amount, unit] =
    seconds >= DAY
      ? [Math.floor(seconds / DAY), "day"]
      : seconds >= HOUR
        ? [Math.floor(seconds / HOUR), "hour"]
        : seconds >= MINUTE
          ? [Math.floor(seconds / MINUTE), "minute"]
          : [seconds, "second"]
  return `${amount} ${unit}${amount === 1 ? "" : "s"} ago`
}

/** The day so many days later, or earlier when negative. */
export function addDays(day: Day, days: number): Day {
  const instant = new Date(`${day}T00:00:00Z`)
  instant.setUTCDate(instant.getUTCDate() + days)
  return instant.toISOString().slice(0, 10)
}

/** Days from one day to another, negative when it is earlier. */
export const daysBetween = (from: Day, to: Day) =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / (DAY * 1000))

/** The day of the week: `Friday`. */
export const weekday = (day: Day) => weekdays.format(new Date(`${day}T00:00:00Z`))

/** The day so many months earlier, or the last day of that month when it is shorter. */
export function monthsBefore(day: Day, months: number): Day {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number)
  const lastOfMonth = new Date(Date.UTC(year, month - months, 0)).getUTCDate()
  const instant = new Date(Date.UTC(year, month - 1 - months, Math.min(date, lastOfMonth)))
  return instant.toISOString().slice(0, 10)
}

export interface Range {
  from: Day
  to: Day
}

/** The ranges that people ask for most; the financial year starts on 1 April. */
export function quickRanges(now: Day): { label: string; range: Range }[] {
  const firstOfMonth = `${now.slice(0, 8)}01`
  const endOfLastMonth = addDays(firstOfMonth, -1)
  const april = `${now.slice(0, 4)}-04-01`
  const startOfYear = now >= april ? april : `${Number(now.slice(0, 4)) - 1}-04-01`
  return [
    { label: "Last 7 days", range: { from: addDays(now, -6), to: now } },
    { label: "This month", range: { from: firstOfMonth, to: now } },
    {
      label: "Last month",
      range: { from: `${endOfLastMonth.slice(0, 8)}01`, to: endOfLastMonth },
    },
    { label: "This financial year", range: { from: startOfYear, to: now } },
  ]
}
