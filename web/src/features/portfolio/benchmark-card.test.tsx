import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import type { components } from "@/api/schema"
import { benchmark, days } from "@/testing/books"
import { answer } from "@/testing/server"
import { show } from "@/testing/show"
import { rowTexts } from "@/testing/tables"
import { BenchmarkCard } from "./benchmark-card"

const path = "/admin/clients/client/id-1/performance"
const series = [
  { date: "2026-11-18", portfolio: 100, benchmark: 100 },
  { date: "2026-11-19", portfolio: 104, benchmark: 102.5 },
  { date: "2026-11-20", portfolio: 105, benchmark: null },
]

const compared = (
  figures: Partial<components["schemas"]["BenchmarkFigures"]> = {},
  points = series,
) => answer("get", path, days, { benchmark: benchmark(figures), series: points })

test("the same flows, the returns and the differences are shown beside the portfolio's", async () => {
  compared()
  await show(<BenchmarkCard clientId="id-1" />)

  const card = await screen.findByRole("region", { name: "Portfolio and Nifty 50 TRI" })
  expect(card).toHaveTextContent("Same flows in Nifty 50 TRI₹12,37,953.80")
  expect(card).toHaveTextContent("Up capture104.50% of 15 months")
  await waitFor(() =>
    expect(rowTexts()).toEqual([
      "XIRR, after fees+11.80%+10.35%+1.45 pp",
      "Time-weighted+15.27%+14.02%+1.25 pp",
      "Max drawdown-12.34%-9.50%-",
    ]),
  )
  expect(card).toHaveTextContent("As of 20 Nov 2026, the last day with both values.")
  expect(card).not.toHaveTextContent("price index")
})

test("both lines start from 100, and their table is newest first", async () => {
  compared()
  const { user } = await show(<BenchmarkCard clientId="id-1" />)

  expect(
    await screen.findByRole("img", {
      name: "From 100 on 18 Nov 2026: portfolio 105.00 on 20 Nov 2026, Nifty 50 TRI 102.50 on 19 Nov 2026",
    }),
  ).toBeVisible()
  await user.click(screen.getByRole("button", { name: "Table" }))

  const [daily] = screen.getAllByRole("table")
  const rows = within(daily!).getAllByRole("row").slice(1)
  expect(rows.map((row) => row.textContent)).toEqual([
    "20/11/2026105.00-",
    "19/11/2026104.00102.50",
    "18/11/2026100.00100.00",
  ])
})

test("a period under a year is not annualised", async () => {
  compared({
    xirrPercentage: null,
    portfolioXirrPercentage: null,
    absoluteReturnPercentage: 3.1,
    portfolioAbsoluteReturnPercentage: 4.2,
    differencePercentagePoints: 1.1,
  })
  await show(<BenchmarkCard clientId="id-1" />)

  expect(await screen.findByRole("row", { name: /Absolute return/ })).toHaveTextContent(
    "Absolute return+4.20%+3.10%+1.10 pp",
  )
})

test("a price index and unknown figures are named as such", async () => {
  const reason = "The index has no value for 18-11-2024, on which money came or went."
  compared({
    kind: "PRICE",
    name: "Nifty 50",
    sameFlowsValue: null,
    xirrPercentage: null,
    differencePercentagePoints: null,
    capture: null,
    sameFlowsReason: reason,
    isEstimated: true,
  })
  await show(<BenchmarkCard clientId="id-1" />)

  const card = await screen.findByRole("region", { name: "Portfolio and Nifty 50" })
  expect(card).toHaveTextContent("Nifty 50 is a price index, without dividends.")
  expect(card).toHaveTextContent("Same flows in Nifty 50-")
  expect(card).toHaveTextContent("Up capture-")
  expect(card).toHaveTextContent(reason)
  expect(card).toHaveTextContent("Estimated (Modified Dietz)")
})

test("a firm without a benchmark shows nothing", async () => {
  const calls = answer("get", path, days, { benchmark: null, series: [] })
  const { container } = await show(<BenchmarkCard clientId="id-1" />)

  await waitFor(() => expect(calls).toHaveLength(1))
  expect(container).not.toHaveTextContent("Same flows")
})
