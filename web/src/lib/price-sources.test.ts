import { expect, test } from "vitest"
import { pricesOf, priceTime } from "./price-sources"

test("each source is shown with the day or time of its own prices", () => {
  const rows = [
    { priceAt: "2026-11-20T09:59:58Z", priceSource: "ZERODHA" },
    { priceAt: "2026-11-20T09:58:00Z", priceSource: "ZERODHA" },
    { priceAt: "2026-08-21T10:00:00Z", priceSource: "CLOSE" },
    { priceAt: null, priceSource: null },
  ]

  expect(pricesOf(rows)).toBe(
    "Zerodha, 20/11/2026 15:28 IST to 20/11/2026 15:29 IST; " +
      "Closing prices that came with the product, 21 Aug 2026",
  )
  expect(pricesOf([])).toBe("")
})

test("a close is of a day, a trade of a minute", () => {
  expect(priceTime("2026-11-20T10:00:00Z", "NSE_FILE")).toBe("20 Nov 2026")
  expect(priceTime("2026-11-20T10:00:00Z", "ZERODHA")).toBe("20/11/2026 15:30 IST")
})
