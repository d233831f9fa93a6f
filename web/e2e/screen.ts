import { expect, type Locator, type Page } from "@playwright/test"
import type { takeNetwork } from "./network"

type Network = Awaited<ReturnType<typeof takeNetwork>>

/** A screen of the protected area, and how to check each of its states. */
export interface Screen {
  name: string
  address: string
  /** Goes there while the calls of the screen wait; by default its address is opened. */
  open?: (page: Page, network: Network) => Promise<void>
  /** What is on show while the calls wait. */
  loading: string | RegExp
  /** The sentence of a failure, with the server at fault and with no server at all. */
  says: string | RegExp
  /** What is only there once everything came. */
  filled: (page: Page) => Locator
  /** Asks the server again on screens that do not do so automatically. */
  stir?: (page: Page) => Promise<void>
  /** The word of the button that tries again. */
  retry?: string
}

export const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true })
export const firstRow = (page: Page, table: string) =>
  region(page, `${table}, table`).locator("tbody tr").first()
/** A row that has a date in it, and so is no skeleton. */
export const dated = (page: Page, table: string) =>
  firstRow(page, table).filter({ hasText: /\d\d\/\d\d\/\d{4}/ })
export const priced = (page: Page, table: string) => firstRow(page, table).filter({ hasText: "₹" })
export const fetching = "Fetching data..."

/**
 * Waits until nothing is on its way any more. What still comes pushes away what is below it: a press that begins on a
 * button then ends beside it, and a menu closes whose button leaves the screen.
 */
export async function settle(page: Page) {
  await page.locator("h1, main").first().waitFor()
  await expect(page.getByText(fetching)).toHaveCount(0)
  await expect(page.locator("[class*='_skeleton_'], [class*='_ghost_']")).toHaveCount(0)
}
