import { readFileSync } from "node:fs"
import { expect } from "@playwright/test"
import { Desk } from "./desk"
import { expectNoFaults, expectNoSidewaysScroll } from "./faults"
import { test } from "./test"

/** A client's tax year: lots that are not known are mended by a tradebook and by hand, and the statement is taken. */

const holdings = [
  'Instrument,"Qty.","Avg. cost",LTP,Invested,"Cur. val","P&L","Net chg.","Day chg."',
  "INFY,15,1450.25,1129.80,21753.75,16947.00,-4806.75,-22.10,0.35",
  "",
].join("\n")
const tradebook = [
  "symbol,isin,trade_date,exchange,segment,series,trade_type,auction,quantity,price,trade_id,order_id,order_execution_time",
  "INFY,INE009A01021,2024-01-03,NSE,EQ,EQ,buy,false,10,1000,90001,80001,2024-01-03T10:00:00",
  "INFY,INE009A01021,2026-05-04,NSE,EQ,EQ,sell,false,4,1500,90002,80002,2026-05-04T10:00:00",
  "",
].join("\n")

test(
  "lots are mended by a tradebook and by hand, and the year's statement is saved",
  { tag: "@long" },
  async ({ page }) => {
    const desk = await Desk.open(page)
    const [client] = await desk.addClients("Tax Journey")
    if (!client) throw new Error("No client was added")
    await desk.importFile(client.id, "holdings.csv", holdings)
    await desk.seat(page, client)
    await page.goto("/home/client/tax")

    const unknown = page.getByRole("region", { name: "Lots not known", exact: true })
    await expect(unknown.getByRole("row", { name: /INFY/ })).toContainText("15")
    await expect(page.getByText(/Arithmetic, not tax advice\./)).toBeVisible()
    await expectNoFaults(page, "tax, not known")

    await unknown.getByRole("button", { name: "Import tradebook" }).click()
    const dialog = page.getByRole("dialog", { name: "Import tradebook" })
    await dialog.getByLabel("Drop a file here, or choose one").setInputFiles({
      name: "tradebook.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(tradebook),
    })
    await dialog.getByRole("button", { name: "Apply" }).click()
    await dialog.getByRole("button", { name: "Done" }).click()

    // Six of the fifteen shares have a lot now; the nine others are entered by hand.
    await expect(unknown.getByRole("row", { name: /INFY/ })).toContainText("6")
    await unknown.getByRole("button", { name: "Enter lot of INFY" }).click()
    const entry = page.getByRole("dialog", { name: "Enter lot" })
    await entry.getByLabel("Shares", { exact: true }).fill("9")
    await entry.getByLabel("Bought on").fill("01-06-2023")
    await entry.getByLabel("Cost of all shares").fill("9000")
    await expectNoFaults(page, "enter lot")
    await entry.getByRole("button", { name: "Save" }).click()
    await expect(unknown).toBeHidden()

    await page.getByLabel("Tax year").selectOption("2026-27")
    const sales = page.getByRole("region", { name: "Realised gains", exact: true })
    // The entered shares came first and were sold first: four of them at 1,000.
    await expect(sales.getByRole("row", { name: /INFY/ })).toContainText("+₹2,000.00")
    await expect(page.getByRole("group", { name: "Exemption used" })).toContainText("₹2,000.00")
    const lots = page.getByRole("region", { name: "Open lots", exact: true })
    await expect(lots.getByRole("row", { name: /INFY/ })).toHaveCount(2)
    await expectNoFaults(page, "tax")

    const download = page.waitForEvent("download")
    await page.getByRole("button", { name: "Statement" }).click()
    const file = await download
    expect(file.suggestedFilename()).toBe(`gains-${client.code}-2026-27.pdf`)
    expect(
      readFileSync(await file.path())
        .subarray(0, 5)
        .toString(),
    ).toBe("%PDF-")

    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.getByRole("region", { name: "Open lots", exact: true })).toBeVisible()
    await expectNoSidewaysScroll(page, "tax on a phone")
    await expectNoFaults(page, "tax on a phone")
    await desk.removeClients("Tax Journey")
  },
)

const gains = [
  'Instrument,"Qty.","Avg. cost",LTP,Invested,"Cur. val","P&L","Net chg.","Day chg."',
  "INFY,900,400,1129.80,360000,1016820.00,656820.00,182.45,0.35",
  "TCS,5,3000,3100,15000,15500,500,3.33,0.1",
  "",
].join("\n")
const bought = [
  "symbol,isin,trade_date,exchange,segment,series,trade_type,auction,quantity,price,trade_id,order_id,order_execution_time",
  "INFY,INE009A01021,2026-06-03,NSE,EQ,EQ,buy,false,900,400,90011,80011,2026-06-03T10:00:00",
  "",
].join("\n")

test(
  "Less tax gives up closeness for less tax, as far as no tax at all",
  { tag: "@long" },
  async ({ page }) => {
    const desk = await Desk.open(page)
    const [client] = await desk.addClients("Less Tax")
    if (!client) throw new Error("No client was added")
    await desk.importFile(client.id, "holdings.csv", gains)
    await desk.importTradebook(client.id, bought)
    // Room for prices that rise before the rebalance: without it the investment forces a sale.
    await desk.call("PUT", `/admin/clients/client/${client.id}/cash`, {
      amount: 50_000,
      asOf: "2026-06-03",
    })
    await desk.seat(page, client)
    await page.goto("/home/advice")
    await page.getByLabel("Client code").fill(client.code)
    for (const symbol of ["INFY", "TCS"]) {
      const target = page.getByLabel(`Target Allocation of ${symbol}`)
      await target.fill("50")
      await target.press("Enter")
      await expect(target).toHaveValue(/50\.00/)
    }
    await page.getByRole("button", { name: "Rebalance Portfolio" }).click()

    const slider = page.getByRole("slider", { name: "Less tax" })
    await expect(slider).toHaveAttribute("aria-valuetext", /^Closest to the targets: tax ₹[1-9]/)
    const stops = page.getByRole("table", { name: "Stops of Less tax" })
    await expect(stops.getByRole("row", { name: /^Tax/ })).toContainText("₹0")

    await slider.focus()
    await slider.press("ArrowRight")
    await expect(slider).toHaveAttribute("aria-valuetext", /^Tax ₹[1-9].* bp tracking error/)
    await slider.press("End")
    await expect(slider).toHaveAttribute("aria-valuetext", /→ ₹0\.00, \+[\d,.]+ bp/)
    await expectNoFaults(page, "less tax")
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoSidewaysScroll(page, "less tax on a phone")
    await desk.removeClients("Less Tax")
  },
)
