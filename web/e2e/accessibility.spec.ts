import { expect, type Page, test } from "@playwright/test"
import { Desk } from "./desk"
import { expectNoFaults, expectNoSidewaysScroll } from "./faults"
import { takeNetwork, watch } from "./network"
import { overlays } from "./overlays"
import { CODE, keepBroker, screens } from "./screens"

/**
 * Every screen and whatever opens over it, on a desk and on a phone, in light and in dark: axe finds no fault,
 * nothing scrolls sideways, no script fails, and the content security policy refuses nothing.
 */

const publicPages = ["login", "signup", "forgot-password", "forgot-password/a-token"]

/** Waits until nothing is on its way any more. */
async function settle(page: Page) {
  await page.locator("h1, main").first().waitFor()
  await expect(page.getByText("Fetching data...")).toHaveCount(0)
  await expect(page.locator("[class*='_skeleton_'], [class*='_ghost_']")).toHaveCount(0)
}

async function expectSound(page: Page, name: string) {
  await expectNoSidewaysScroll(page, name)
  await expectNoFaults(page, name)
}

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test.describe(`at ${viewport.width}`, () => {
    test.use({ viewport, contextOptions: { reducedMotion: "reduce" } })

    test("public pages", async ({ page }) => {
      const said = watch(page)
      for (const address of publicPages) {
        await page.goto(`/auth/${address}`)
        await settle(page)
        await expectSound(page, address)
      }
      await page.goto("/auth/forgot-password")
      await page.getByLabel("Email").fill("nobody@states.example")
      await page.getByRole("button", { name: "Use a one-time code" }).click()
      await expect(page.getByRole("button", { name: "Verify" })).toBeVisible()
      await expectSound(page, "one-time code")
      await page.goto("/auth/signup")
      await page.getByRole("button", { name: "Get Started" }).click()
      await expect(page.getByText("Name is required")).toBeVisible()
      await expectSound(page, "sign-up with faults")
      expect(said).toEqual([])
    })

    test("screens", async ({ page }) => {
      test.setTimeout(240_000)
      const said = watch(page)
      const desk = await Desk.open(page)
      await keepBroker(desk)
      await desk.seat(page, { id: await desk.clientIdOf(CODE), code: CODE })
      const network = await takeNetwork(page)
      for (const screen of screens) {
        // A phone has no button for the preview.
        if (screen.name === "Preview" && viewport.width < 640) continue
        await test.step(screen.name, async () => {
          // Nothing waits here: the screen is looked at once it is filled.
          if (screen.open) await screen.open(page, { fate: "pass" })
          else await page.goto(screen.address)
          await settle(page)
          await expectSound(page, screen.name)
        })
      }
      for (const fate of ["wait", "refuse"] as const) {
        network.fate = fate
        await page.goto("/home/fees")
        const words = fate === "wait" ? "Fetching data..." : "Failed to fetch data"
        await expect(page.getByText(words).first()).toBeVisible()
        await expectSound(page, words)
      }
      network.fate = "pass"
      await page.goto("/redirect")
      await expect(page.getByRole("heading", { name: "Authentication Failed" })).toBeVisible()
      await expectSound(page, "return page")
      await page.goto("/auth/reset-password")
      await expectSound(page, "reset password")
      expect(said).toEqual([])
    })

    for (const part of [0, 1, 2])
      test(`what opens over the screens, part ${part + 1} of 3`, async ({ page }) => {
        test.setTimeout(240_000)
        const said = watch(page)
        const desk = await Desk.open(page)
        await desk.seat(page, { id: await desk.clientIdOf(CODE), code: CODE })
        const rebalance = screens.find(({ name }) => name === "Rebalance")
        await rebalance?.open?.(page, { fate: "pass" })
        const third = Math.ceil(overlays.length / 3)
        for (const { name, address, open } of overlays.slice(part * third, (part + 1) * third)) {
          await test.step(name, async () => {
            await page.goto(address)
            await settle(page)
            await open(page)
            await expectSound(page, name)
          })
        }
        expect(said).toEqual([])
      })
  })
}
