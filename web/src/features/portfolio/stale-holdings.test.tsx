import { screen, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { holding } from "@/testing/clients"
import { show } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { HoldingsTable } from "./holdings-table"
import { atLastPrices } from "./live-figures"
import type { Holding } from "./queries"

const state = { isPending: false, isError: false, refetch: () => undefined } as never

beforeEach(() => signedIn())

async function table(...held: Holding[]) {
  const live = atLastPrices(held, () => undefined)
  await show(
    <HoldingsTable
      rows={live.rows}
      totals={live.totals}
      pricedAt="2026-08-21T10:00:00Z"
      state={state}
      onImport={() => undefined}
      download={() => Promise.reject(new Error("not asked for"))}
    />,
  )
  return within(await screen.findByRole("region", { name: "Your Holdings, table" }))
}

const stale: Partial<Holding> = {
  isStale: true,
  pricedAt: "2026-08-21T10:00:00Z",
  priceSource: "CLOSE",
}

test("a stale price is muted and shows its day, and the list counts them", async () => {
  const rows = await table(
    holding(stale),
    holding({ tradingSymbol: "TCS", instrumentToken: 2953217 }),
  )

  const [day] = rows.getAllByText("21 Aug 2026")
  expect(day?.parentElement).toHaveClass("price-stale")
  expect(
    rows.getByText("Stale price of 21 Aug 2026 (Closing prices that came with the product)"),
  ).toBeInTheDocument()
  expect(screen.getByText("1 stale price of 21 Aug 2026")).toBeVisible()
})

test("a stock that was never priced says so, and no day", async () => {
  const rows = await table(holding({ isStale: true, pricedAt: null, priceSource: null }))

  expect(rows.getByText("No price")).toBeVisible()
})

test("the profit of a holding with a suspected action is a dash, and so is the total", async () => {
  const rows = await table(holding({ actionSuspected: true, pnl: null, pnlPercentage: null }))

  expect(rows.getByText("Action suspected")).toBeVisible()
  expect(rows.queryByText(/33\.33/)).toBeNull()
  expect(rows.queryByText(/2,00,000/)).toBeNull()
})

test("a holding with shares that are not credited says how many, and what may be sold", async () => {
  const rows = await table(holding({ actionPending: true, uncredited: 250, free: 250 }))

  expect(rows.getByText("Action pending")).toBeVisible()
  const hint = "250 shares are not credited yet after a corporate action and cannot be sold."
  expect(rows.getByTitle(hint)).toBeVisible()
  expect(rows.getByText("250 free · 250 not credited")).toBeVisible()
})

test("what waiting shares cost is exact, though their average is rounded", () => {
  const held = holding({
    actionPending: true,
    quantity: 175,
    averagePrice: 45.7143,
    invested: 8000,
    ltp: 45.7143,
  })

  expect(atLastPrices([held], () => undefined).totals.invested).toBe(8000)
})

test("a tick with another price than the server's is fresh; the same price again is not", () => {
  const held = [holding(stale)]

  expect(atLastPrices(held, () => 1600).rows[0]?.isStale).toBe(true)
  expect(atLastPrices(held, () => 1601).rows[0]?.isStale).toBe(false)
})
