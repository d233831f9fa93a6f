import AxeBuilder from "@axe-core/playwright"
import { expect, type Page, test } from "@playwright/test"
import { signIn } from "./sign-in"

/** Every screen, in light and dark, on a desk and on a phone: no fault, no exception, nothing that the policy refused. */
const screens = ["/home/dashboard", "/home/client/details", "/home/settings"]

async function faultsOf(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join(" | ")}`,
  )
}

for (const colorScheme of ["light", "dark"] as const) {
  for (const viewport of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    test.describe(`${colorScheme} at ${viewport.width}`, () => {
      test.use({ colorScheme, viewport, contextOptions: { reducedMotion: "reduce" } })

      test("public pages have no faults", async ({ page }) => {
        for (const address of ["/auth/login", "/auth/signup"]) {
          await page.goto(address)
          await page.getByRole("heading", { level: 1 }).waitFor()
          expect(await faultsOf(page), address).toEqual([])
        }
      })

      test("screens have no faults", async ({ page }) => {
        const refused: string[] = []
        page.on("console", (message) => {
          if (message.type() === "error") refused.push(message.text())
        })
        await signIn(page)
        for (const address of screens) {
          await page.goto(address)
          await page.getByRole("heading", { level: 1 }).waitFor()
          await page.waitForLoadState("networkidle")
          expect(await faultsOf(page), address).toEqual([])
        }
        expect(refused).toEqual([])
      })
    })
  }
}
