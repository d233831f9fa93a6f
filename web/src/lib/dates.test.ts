import { describe, expect, test } from "vitest"
import {
  addDays,
  age,
  date,
  dateRange,
  dateTime,
  daysBetween,
  longDate,
  monthsBefore,
  parseDay,
  quickRanges,
  readDay,
  today,
  weekday,
} from "./dates"

describe("parseDay", () => {
  test.each([
    ["2026-11-20", "2026-11-20"],
    ["20-11-2026", "2026-11-20"],
    ["20/11/2026", "2026-11-20"],
    [" 29-02-2028 ", "2028-02-29"],
  ])("reads %s", (text, day) => {
    expect(parseDay(text)).toBe(day)
  })

  test.each(["", "31-02-2026", "2026-13-01", "20.11.2026", "tomorrow", "20-11-26", null])(
    "knows no day %s",
    (text) => {
      expect(parseDay(text)).toBeNull()
    },
  )
})

test.each([
  ["5-3-2026", "2026-03-05"],
  ["05.03.2026", "2026-03-05"],
  ["5/3/2026", "2026-03-05"],
  ["05032026", "2026-03-05"],
  ["2026-03-05", "2026-03-05"],
  ["5-3-26", null],
  ["31022026", null],
  ["", null],
])("%s is typed for the day %s", (text, day) => {
  expect(readDay(text)).toBe(day)
})

test("a day is written as it is, an instant as the day it has in India", () => {
  expect(date("2026-11-20")).toBe("20/11/2026")
  expect(date("2026-11-20T20:00:00Z")).toBe("21/11/2026")
  expect(date("soon")).toBe("-")
  expect(date(null)).toBe("-")
  expect(longDate("2024-02-14")).toBe("14 Feb 2024")
  expect(dateRange("2026-11-20", "2026-11-30")).toBe("20-11-2026 – 30-11-2026")
  expect(dateTime("2026-11-20T10:00:00Z")).toBe("20/11/2026 15:30 IST")
})

test("today is India's today, wherever the browser stands", () => {
  expect(today(new Date("2026-11-20T18:29:00Z"))).toBe("2026-11-20")
  expect(today(new Date("2026-11-20T18:31:00Z"))).toBe("2026-11-21")
})

test.each([
  [0, "0 seconds ago"],
  [1, "1 second ago"],
  [59, "59 seconds ago"],
  [60, "1 minute ago"],
  [7200, "2 hours ago"],
  [3 * 86400, "3 days ago"],
])("%i seconds are shown as %s", (seconds, text) => {
  const now = new Date("2026-11-20T10:00:00Z")
  const then = new Date(now.getTime() - seconds * 1000).toISOString()

  expect(age(then, now)).toBe(text)
})

test("days are counted over month ends and leap years", () => {
  expect(addDays("2028-02-28", 1)).toBe("2028-02-29")
  expect(addDays("2026-01-01", -1)).toBe("2025-12-31")
  expect(monthsBefore("2026-03-31", 1)).toBe("2026-02-28")
  expect(monthsBefore("2026-01-15", 12)).toBe("2025-01-15")
})

test("the financial year starts on the last 1 April", () => {
  const yearOf = (day: string) => quickRanges(day).at(-1)?.range

  expect(yearOf("2026-03-31")).toEqual({ from: "2025-04-01", to: "2026-03-31" })
  expect(yearOf("2026-04-01")).toEqual({ from: "2026-04-01", to: "2026-04-01" })
})

test("last month is the whole of it", () => {
  expect(quickRanges("2026-03-05")[2]?.range).toEqual({ from: "2026-02-01", to: "2026-02-28" })
})

test("days are counted between days, whatever the month", () => {
  expect(daysBetween("2026-11-21", "2029-02-13")).toBe(815)
  expect(daysBetween("2028-03-01", "2028-02-28")).toBe(-2)
  expect(daysBetween("2026-11-21", "2026-11-21")).toBe(0)
})

test("a day has its weekday", () => {
  expect(weekday("2026-11-21")).toBe("Saturday")
})
