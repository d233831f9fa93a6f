import { expect, type Page } from "@playwright/test"
import { Desk } from "./desk"
import { expectNoFaults, expectNoSidewaysScroll } from "./faults"
import { takeNetwork } from "./network"
import { overlays } from "./overlays"
import { settle } from "./screen"
import { CODE, keepBroker, screens } from "./screens"
import { test } from "./test"

/**
 * Every screen and whatever opens over it, on a desk (its screens also zoomed) and on a phone, in light and in dark: axe finds no fault,
 * nothing scrolls sideways, no script fails, and the content security policy refuses nothing.
 */

// Each test opens its own screens.
test.describe.configure({ mode: "parallel" })

const publicPages = ["login", "signup", "forgot-password", "forgot-password/a-token"]

/** One part of a list that is looked at in several tests, so that none of them is long. */
function partOf<Item>(all: Item[], part: number, parts: number) {
  const most = Math.ceil(all.length / parts)
  return all.slice(part * most, (part + 1) * most)
}

/** A desk and a phone. */
const widths = [1440, 390]
/** The desk at a zoom of 200 %. */
const ZOOMED = 720
const heights: Partial<Record<number, number>> = { 390: 844, [ZOOMED]: 450 }
const sized = (width: number) => ({ width, height: heights[width] ?? 900 })
/** In which colours pages are opened, before the others are looked at: in dark on a phone, so that both ways in are seen. */
const schemes = (width: number): ["light", "dark"] | ["dark", "light"] =>
  width === 390 ? ["dark", "light"] : ["light", "dark"]

for (const width of [...widths, ZOOMED]) {
  const isPhone = width < 640
  const tag = width === 1440 ? [] : "@long"

  test.describe(`at ${width}, light and dark`, { tag }, () => {
    test.use({
      viewport: sized(width),
      colorScheme: schemes(width)[0],
      contextOptions: { reducedMotion: "reduce" },
    })

    async function expectSound(page: Page, name: string) {
      await expectNoSidewaysScroll(page, name)
      await expectNoFaults(page, name, schemes(width))
    }

    test("public pages", async ({ cleanPage: page }) => {
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
    })

    test("a screen that waits, fails or is no screen", async ({ cleanPage: page }) => {
      await Desk.signIn(page)
      const network = await takeNetwork(page)
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
    })

    for (const part of [0, 1])
      test(`screens, part ${part + 1} of 2`, async ({ cleanPage: page }) => {
        await keepBroker(await Desk.signIn(page, "ADMIN", CODE))
        for (const screen of partOf(screens, part, 2)) {
          // A phone has no button for the preview.
          if (screen.name === "Preview" && isPhone) continue
          await test.step(screen.name, async () => {
            // Nothing waits here: the screen is looked at once it is filled.
            if (screen.open) await screen.open(page, { fate: "pass" })
            else await page.goto(screen.address)
            await settle(page)
            await expectSound(page, screen.name)
          })
        }
      })
  })
}

for (const width of widths)
  test.describe(`over the screens at ${width}, light and dark`, { tag: "@long" }, () => {
    test.use({ viewport: sized(width), contextOptions: { reducedMotion: "reduce" } })

    for (const part of [0, 1])
      test(`what opens over the screens, part ${part + 1} of 2`, async ({ cleanPage: page }) => {
        await Desk.signIn(page, "ADMIN", CODE)
        const rebalance = screens.find(({ name }) => name === "Rebalance")
        await rebalance?.open?.(page, { fate: "pass" })
        for (const { name, address, open } of partOf(overlays, part, 2)) {
          await test.step(name, async () => {
            await page.goto(address)
            await settle(page)
            await open(page)
            await expectNoSidewaysScroll(page, name)
            await expectNoFaults(page, name)
          })
        }
      })
  })
