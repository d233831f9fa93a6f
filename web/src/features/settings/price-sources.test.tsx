import { screen, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { answer } from "@/testing/server"
import { showApp } from "@/testing/show"
import { ownSettingsAnswered, signedIn } from "@/testing/signed-in"

beforeEach(() => {
  signedIn()
  ownSettingsAnswered()
})

const found = {
  stocks: 3,
  staleCount: 1,
  sources: [
    {
      source: "NSE_FILE",
      stocks: 2,
      stale: 0,
      newestAt: "2026-11-20T10:00:00Z",
      oldestAt: "2026-11-20T10:00:00Z",
    },
    {
      source: "CLOSE",
      stocks: 1,
      stale: 1,
      newestAt: "2026-08-21T10:00:00Z",
      oldestAt: "2026-08-21T10:00:00Z",
    },
  ],
  stale: [
    {
      symbol: "TCS",
      exchange: "NSE",
      name: "Tata Consultancy Services Ltd.",
      isin: "INE467B01029",
      price: 3301.05,
      pricedAt: "2026-08-21T10:00:00Z",
      source: "CLOSE",
      isHeld: true,
    },
  ],
}

test("the settings show the price sources, list the stale prices and open the import", async () => {
  answer("get", "/admin/prices/sources", found)
  const { user } = await showApp("/home/settings?section=prices", { role: "ADMIN" })

  const sources = within(await screen.findByRole("region", { name: "Price sources, table" }))
  expect(await sources.findByText("NSE closing prices")).toBeVisible()
  expect(sources.getAllByRole("row")[2]).toHaveTextContent(
    "Closing prices that came with the product1121 Aug 202621 Aug 2026",
  )
  const stale = within(screen.getByRole("region", { name: "Stale prices, table" }))
  expect(stale.getAllByRole("row")[1]).toHaveTextContent("TCS NSE3,301.0521 Aug 2026")

  await user.click(screen.getByRole("button", { name: "Import closing prices" }))
  expect(await screen.findByLabelText("Drop a file here, or choose one")).toBeInTheDocument()
})
