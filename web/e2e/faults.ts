import AxeBuilder from "@axe-core/playwright"
import { expect, type Page } from "@playwright/test"

/** What axe finds wrong on the page as it stands, a line a rule. */
export async function faultsOf(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`)
}

/** No fault on this screen, in light and in dark. */
export async function expectNoFaults(page: Page, screen: string) {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    expect(await faultsOf(page), `${screen}, ${colorScheme}`).toEqual([])
  }
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" })
}
