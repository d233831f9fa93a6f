import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { days, keptBooks, returns, span, transaction } from "@/testing/books"
import { setScreenWidth } from "@/testing/screen-width"
import { answer, breakOff, hang, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { rowTexts } from "@/testing/tables"
import { PerformanceChart } from "./performance-chart"
import { ReturnsPanel } from "./returns-panel"
import { XirrTable } from "./xirr-table"

const base = "/admin/clients/client/id-1"

test("the flows of the XIRR are listed newest first, signed as the client sees them", async () => {
  keptBooks()
  await show(<XirrTable clientId="id-1" />)

  await screen.findByRole("table")
  expect(rowTexts()).toEqual([
    "21/11/2026Portfolio Value+₹12,50,000.00-",
    "01/06/2026Fees-₹2,500.50₹2,500.50",
    "02/03/2026Fund Added-₹50,000.00-",
    "21/11/2024Starting Capital-₹10,00,000.00-",
    "TotalGain after fees paid+₹1,97,499.50₹2,500.50",
  ])
  expect(screen.getByText("+11.80% annualised, after fees paid")).toBeVisible()
})

test("where there is no rate, the reason is shown instead", async () => {
  const xirrMessage = "Everything happened on one day; a yearly rate needs at least two."
  keptBooks([], returns({ data: [], xirrPercentage: null, xirrMessage }))
  await show(<XirrTable clientId="id-1" />)

  expect(await screen.findByText(xirrMessage)).toBeVisible()
  expect(screen.getByText("No Data Available")).toBeVisible()
})

test("many flows are paged, and the total is of them all", async () => {
  const flow = { date: "2026-01-01", amount: -100, fees: 0, kind: "FUNDS_ADDED" as const }
  keptBooks([], returns({ data: Array.from({ length: 45 }, () => flow) }))
  const { user } = await show(<XirrTable clientId="id-1" />)
  await screen.findByText("1–20 of 45")

  await user.click(screen.getByRole("button", { name: "Page 3" }))

  expect(rowTexts()).toHaveLength(6)
  expect(rowTexts().at(-1)).toContain("-₹4,500.00")
})

test("the XIRR table is cards on a phone", async () => {
  setScreenWidth(390)
  keptBooks()
  await show(<XirrTable clientId="id-1" />)

  const list = await screen.findByRole("list", { name: "XIRR" })
  expect(within(list).getAllByRole("listitem")[0]).toHaveTextContent(
    "21/11/2026+₹12,50,000.00Portfolio Value",
  )
})

test("the returns by every measure, before and after fees", async () => {
  keptBooks()
  await show(<ReturnsPanel clientId="id-1" />)

  await screen.findByRole("table")
  await waitFor(() =>
    expect(rowTexts()).toEqual([
      "Since startfrom 21 Nov 2024+15.27%+13.10%+6.35%",
      "1 yearfrom 21 Nov 2025+9.10%-1.25%+6.35%",
      "3 yearsValues are not known that far back.---",
    ]),
  )
  const panel = screen.getByRole("region", { name: "Returns" })
  expect(panel).toHaveTextContent("XIRR (annualised)+11.80%")
  expect(panel).toHaveTextContent("XIRR(Period)2.00 years")
  expect(panel).toHaveTextContent("Max drawdown-12.34%, 1 Sep 2025 to 15 Jan 2026")
  expect(panel).toHaveTextContent("not PaRRVA-verified")
})

test("an unknown value is a dash, and a short period is named", async () => {
  const message = "There are no cash flows yet. Enter the starting date and capital."
  keptBooks(
    [],
    returns({
      xirrPercentage: null,
      xirrMessage: message,
      absoluteReturnPercentage: 4.2,
      xirrPeriod: null,
      maxDrawdown: null,
      spans: [span({ isEstimated: true })],
    }),
  )
  await show(<ReturnsPanel clientId="id-1" />)

  const panel = await screen.findByRole("region", { name: "Returns" })
  await waitFor(() => expect(panel).toHaveTextContent(`XIRR (annualised)-${message}`))
  expect(panel).toHaveTextContent("Absolute return+4.20%")
  expect(panel).toHaveTextContent("XIRR(Period)-")
  expect(panel).toHaveTextContent("Max drawdown-")
  expect(panel).toHaveTextContent("this is an estimate (Modified Dietz)")
})

test.each([
  ["XIRR table", <XirrTable key="x" clientId="id-1" />],
  ["returns", <ReturnsPanel key="r" clientId="id-1" />],
])("%s that fail to load are not shown as empty, and can be loaded again", async (_, panel) => {
  keptBooks()
  breakOff("get", `${base}/xirr`)
  const { user } = await show(panel)
  expect(await screen.findByRole("alert")).toHaveTextContent("Failed to fetch client data")

  keptBooks()
  await user.click(screen.getByRole("button", { name: "Retry" }))

  expect(await screen.findByRole("table")).toBeVisible()
})

test("the chart has a text description, and its ranges can be chosen", async () => {
  keptBooks()
  const { user } = await show(<PerformanceChart clientId="id-1" />)

  expect(
    await screen.findByRole("img", {
      name: "Portfolio value from 18 Nov 2026 to 20 Nov 2026: ₹12.00 L to ₹12.50 L, against a net investment of ₹10.50 L",
    }),
  ).toBeVisible()
  for (const range of ["1M", "3M", "6M", "1Y", "All"]) {
    await user.click(screen.getByRole("button", { name: range }))
    expect(screen.getByRole("button", { name: range })).toHaveAttribute("aria-pressed", "true")
  }
})

test("the rows of the chart are a table, newest first", async () => {
  keptBooks()
  const { user } = await show(<PerformanceChart clientId="id-1" />)
  await screen.findByRole("img")

  await user.click(screen.getByRole("button", { name: "Table" }))

  expect(rowTexts()).toEqual([
    "20/11/2026₹12,50,000.50₹10,50,000.00+₹2,00,000.50",
    "19/11/2026₹12,10,000.00₹10,50,000.00+₹1,60,000.00",
    "18/11/2026₹12,00,000.00₹10,50,000.00+₹1,50,000.00",
  ])
  expect(screen.queryByRole("img")).toBeNull()
})

test("no figures are shown for a client without a starting date and capital", async () => {
  keptBooks([], returns(), [{ date: "2026-11-20", value: 0, netInvestment: 0, twrIndex: 100 }])
  await show(<PerformanceChart clientId="id-1" />)

  expect(await screen.findByText("No Data Available")).toBeVisible()
  expect(screen.getByText(/^The chart starts after the first daily close/)).toBeVisible()
  expect(screen.queryByText("₹0.00")).toBeNull()
})

test("a single value draws no line", async () => {
  keptBooks([transaction()], returns(), days.slice(2))
  await show(<PerformanceChart clientId="id-1" />)

  expect(await screen.findByRole("row", { name: /20\/11\/2026/ })).toBeVisible()
  expect(screen.getByText(/^The chart starts after the first daily close/)).toBeVisible()
  expect(screen.queryByRole("button", { name: "Table" })).toBeNull()
})

test("a loading chart draws nothing, and a failed one can be loaded again", async () => {
  hang("get", `${base}/performance`)
  const { unmount } = await show(<PerformanceChart clientId="id-1" />)
  expect(screen.queryByRole("img")).toBeNull()
  unmount()

  refuse("get", `${base}/performance`, 503, "Busy, try again")
  const { user } = await show(<PerformanceChart clientId="id-1" />)
  expect(await screen.findByRole("alert")).toHaveTextContent("Failed to fetch client data")
  answer("get", `${base}/performance`, days)
  await user.click(screen.getByRole("button", { name: "Retry" }))

  expect(await screen.findByRole("img")).toBeVisible()
})
