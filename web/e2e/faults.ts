import { appendFileSync } from "node:fs"
import { join } from "node:path"
import AxeBuilder from "@axe-core/playwright"
import { expect, type Page } from "@playwright/test"

/** What axe finds wrong on the page as it stands, a line a rule; with `rules`, of these alone. */
export async function faultsOf(page: Page, rules: string[] = []) {
  return (await lookAt(page, rules)).violations
}

/** What axe finds wrong, with the rules that it ran and its version. */
async function lookAt(page: Page, rules: string[]) {
  // There are no frames, so it runs in the page itself; what it finds right is not written up. Both save most of its time.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).setLegacyMode()
  const found = await (rules.length > 0 ? axe.withRules(rules) : axe).analyze()
  const { violations, passes, incomplete, inapplicable, testEngine } = found
  return {
    violations: violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" | ")}`,
    ),
    rules: [...violations, ...passes, ...incomplete, ...inapplicable].map(({ id }) => id).sort(),
    axe: testEngine.version,
  }
}

/** A folder for what is looked at, a line a screen; `scripts/accessibility_report.py` makes the report of it. */
const reportFolder = process.env.AXE_REPORT_DIR ?? ""

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
  const found = await lookAt(page, rules)
  if (reportFolder !== "") {
    const width = page.viewportSize()?.width
    const line = JSON.stringify({ screen, width, scheme, ...found })
    appendFileSync(join(reportFolder, `${process.pid}.jsonl`), `${line}\n`)
  }
  // A soft check, so that one fault does not hide the others.
  expect.soft(found.violations, `${screen}, ${scheme}`).toEqual([])
}

/** The page itself never scrolls sideways. */
export async function expectNoSidewaysScroll(page: Page, screen: string) {
  const width = await page.evaluate(() => ({
    needed: document.documentElement.scrollWidth,
    shown: document.documentElement.clientWidth,
  }))
  expect.soft(width.needed, `${screen} scrolls sideways`).toBeLessThanOrEqual(width.shown)
}
