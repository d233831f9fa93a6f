import { screen, within } from "@testing-library/react"
import { expect, test, vi } from "vitest"
import type { components } from "@/api/schema"
import { sentField } from "@/testing/imports"
import { answerBy, refuse } from "@/testing/server"
import { show } from "@/testing/show"
import { ImportPrices } from "./import-prices"

type Report = components["schemas"]["PriceImportReport"]

const path = "/admin/imports/prices"

const reportOf = (change: Partial<Report> = {}): Report => ({
  fileName: "BhavCopy_NSE_CM.zip",
  source: "NSE_FILE",
  day: "2026-11-20",
  isDryRun: true,
  canApply: true,
  message: "1 price of NSE; close of 20-11-2026.",
  counts: {
    added: 0,
    changed: 1,
    unchanged: 0,
    kept: 0,
    unknown: 2900,
    otherSeries: 4,
    refused: 1,
  },
  rows: [
    {
      line: 2,
      tradingSymbol: "INFY",
      name: "Infosys Ltd.",
      isin: "INE009A01021",
      exchange: "NSE",
      series: "EQ",
      change: "CHANGED",
      priceBefore: 3200,
      pricedAtBefore: "2026-08-21T10:00:00Z",
      sourceBefore: "CLOSE",
      price: 1612.4,
      actionSuspected: true,
    },
  ],
  rowsLeftOut: 0,
  refused: [{ line: 7, text: "TCS, abc", reason: "Closing price is missing." }],
  ...change,
})

async function choose() {
  const onClose = vi.fn()
  const shown = await show(<ImportPrices onClose={onClose} />)
  const file = new File(["TradDt\n"], "BhavCopy_NSE_CM.zip")
  await shown.user.upload(screen.getByLabelText("Drop a file here, or choose one"), file)
  return { ...shown, onClose }
}

test("a file of closing prices is checked first, then imported, and all figures are refreshed", async () => {
  const calls = answerBy("post", path, (call) => ({
    success: true,
    message: null,
    data: reportOf({ isDryRun: sentField(call.body, "dryRun") === "true" }),
  }))
  const { user, onClose, queryClient } = await choose()
  const refreshed = vi.spyOn(queryClient, "invalidateQueries")

  expect(await screen.findByText("NSE closing prices · 20/11/2026")).toBeVisible()
  expect(screen.getByText("Line 7").parentElement).toHaveTextContent("Closing price is missing.")
  const [row] = within(screen.getByRole("table")).getAllByRole("row").slice(1)
  expect(row).toHaveTextContent("INFY EQ Action suspected3,200.0021 Aug 20261,612.402")

  await user.click(screen.getByRole("button", { name: "Apply" }))

  expect(await screen.findByText("Imported. 1 price of NSE; close of 20-11-2026.")).toBeVisible()
  expect(calls.map((call) => sentField(call.body, "dryRun"))).toEqual(["true", "false"])
  expect(refreshed).toHaveBeenCalledWith()
  await user.click(screen.getByRole("button", { name: "Done" }))
  expect(onClose).toHaveBeenCalledOnce()
})

test("a file that is refused says why, and another one can be chosen", async () => {
  refuse("post", path, 422, "The file is of MCX; import a file of NSE or BSE.")

  await choose()

  expect(await screen.findByText("The file is of MCX; import a file of NSE or BSE.")).toBeVisible()
  expect(screen.getByLabelText("Drop a file here, or choose one")).toBeInTheDocument()
})
