import { expect, type Page, test } from "@playwright/test"
import { faultsOf } from "./faults"
import { signIn } from "./sign-in"

/** Every screen of the demo firm, in light and dark, on a desk and on a phone: no fault, no exception, nothing that the policy refused. */

async function expectNone(page: Page, screen: string) {
  await page.getByRole("heading", { level: 1 }).waitFor()
  expect(await faultsOf(page), screen).toEqual([])
}

async function openClient(page: Page) {
  await page.goto("/home/client/details")
  await page.getByText("C0001").first().click()
  const view = page.getByRole("button", { name: "View Detail" })
  await expect(view.or(page.getByRole("heading", { level: 1, name: "Profile" }))).toBeVisible()
  if (await view.isVisible()) await view.click()
}

async function fillAdvice(page: Page) {
  await page.goto("/home/advice")
  await page.getByLabel("Client code").fill("C0002")
  const targets = page.getByLabel(/^Target Allocation of/)
  await expect(targets.first()).toBeVisible()
  await targets.nth(0).fill("12.5")
  await targets.nth(0).press("Enter")
  await targets.nth(1).fill("0")
  await targets.nth(1).press("Enter")
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
          await expectNone(page, address)
        }
      })

      test("screens have no faults", async ({ page }) => {
        test.setTimeout(120_000)
        const refused: string[] = []
        page.on("console", (message) => {
          if (message.type() === "error") refused.push(message.text())
        })
        await signIn(page)
        for (const address of ["/home/dashboard", "/home/client/details", "/home/settings"]) {
          await page.goto(address)
          await page.waitForLoadState("networkidle")
          await expectNone(page, address)
        }
        await openClient(page)
        for (const tab of ["profile", "portfolio", "advice-history"]) {
          await page.goto(`/home/client/${tab}`)
          await page.waitForLoadState("networkidle")
          await expectNone(page, tab)
        }
        await fillAdvice(page)
        await expectNone(page, "advice")
        await page.getByRole("button", { name: "Rebalance Portfolio" }).click()
        await expect(page.getByText("Tracking error").first()).toBeVisible()
        await expectNone(page, "rebalance")
        expect(refused).toEqual([])
      })
    })
  }
}
