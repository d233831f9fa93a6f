import AxeBuilder from "@axe-core/playwright"
import { expect, type Page } from "@playwright/test"

/** What axe finds wrong on the page as it stands, a line a rule; with `rules`, of these alone. */
export async function faultsOf(page: Page, rules: string[] = []) {
  // There are no frames, so it runs in the page itself; what it finds right is not written up. Both save most of its time.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode()
  const { violations } = await (rules.length > 0 ? axe.withRules(rules) : axe).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`)
}

/** What a change of colours alone can break. */
const OF_COLOURS = ["color-contrast", "link-in-text-block"]

type Scheme = "light" | "dark"

/**
 * No fault on this screen: every rule in light, those of colours in dark too. It begins and ends in the first of
 * `schemes`, light unless the page was opened in dark.
 */
export async function expectNoFaults(
  page: Page,
  screen: string,
  schemes: [Scheme, Scheme] = ["light", "dark"],
) {
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
    await expectNoFaultsIn(page, screen, colorScheme)
  }
  await page.emulateMedia({ colorScheme: schemes[0], reducedMotion: "reduce" })
}

/** The same in the colours that the page has now. */
export async function expectNoFaultsIn(page: Page, screen: string, scheme: Scheme) {
  const rules = scheme === "dark" ? OF_COLOURS : []
  // A soft check, so that one fault does not hide the others.
  expect.soft(await faultsOf(page, rules), `${screen}, ${scheme}`).toEqual([])
}

/** The page itself never scrolls sideways. */
export async function expectNoSidewaysScroll(page: Page, screen: string) {
  const width = await page.evaluate(() => ({
    needed: document.documentElement.scrollWidth,
    shown: document.documentElement.clientWidth,
  }))
  expect.soft(width.needed, `${screen} scrolls sideways`).toBeLessThanOrEqual(width.shown)
}
