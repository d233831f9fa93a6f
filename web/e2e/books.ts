import { expect, type Page } from "@playwright/test"
import { settle } from "./screen"

/** A client's Portfolio tab and its contents. */
export function booksOn(page: Page) {
  const section = (name: string) => page.getByRole("region", { name, exact: true })
  const card = (name: string) => page.getByRole("group", { name, exact: true })
  return {
    section,
    card,
    flowRow: (name: RegExp) => section("Accounting").getByRole("row", { name }),
    xirrRow: (name: RegExp) => section("XIRR").getByRole("row", { name }),
    /** The exact amount of a card, in rupees, shown under the short one. */
    async rupeesOf(name: string) {
      const text = await card(name).innerText()
      const exact = text.match(/[-+]?₹[\d,]+\.\d\d(?! (L|Cr))/g)?.at(-1) ?? ""
      return Number(exact.replace(/[₹,+]/g, ""))
    },
  }
}

/** Opens the tab of the client with this code. */
export async function openPortfolio(page: Page, code: string) {
  await page.goto(`/home/client/details?query=${code}`)
  await page.getByRole("cell", { name: code }).click()
  await page.getByRole("link", { name: "Portfolio", exact: true }).click()
  await expect(page.getByRole("group", { name: "Days", exact: true })).toContainText(/\d/)
  await settle(page)
}

/** A day so many days ago: as a form takes it, and as tables show it. */
export function ago(days: number) {
  // The product's days are India's, wherever this runs: there it is tomorrow from 18:30 UTC on.
  const inIndia = Date.now() + 5.5 * 3600 * 1000
  const day = new Date(inIndia - days * 24 * 3600 * 1000).toISOString().slice(0, 10)
  return { day, shown: day.split("-").reverse().join("/") }
}
