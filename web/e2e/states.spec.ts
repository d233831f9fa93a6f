import { setTimeout as pause } from "node:timers/promises"
import { expect, type Page } from "@playwright/test"
import { Desk } from "./desk"
import { PAST_TIMEOUT, takeNetwork } from "./network"
import type { Screen } from "./screen"
import { CODE, keepBroker, screens } from "./screens"
import { logIn } from "./sign-in"
import { test } from "./test"

/**
 * Every screen through its states, against the real server: while it loads, when nothing answers, when the
 * server is at fault, when there is no server, once it is filled, and when the session ends in the middle.
 */

// No screen needs what another one left.
test.describe.configure({ mode: "parallel" })

/** The rest of the layout works, whatever became of the screen. */
async function expectLayout(page: Page) {
  await expect(page.getByRole("heading", { level: 1 })).not.toBeEmpty()
  await page.getByRole("button", { name: /^Account of/ }).press("Enter")
  const menu = page.getByRole("menu", { name: "Account" })
  await expect(menu.getByRole("menuitem", { name: "Logout" })).toBeVisible()
  await menu.press("Escape")
  await expect(menu).toBeHidden()
}

const sentence = (page: Page, { says }: Screen) => page.getByRole("main").getByText(says).first()

/** Presses every button that tries again. */
const tryAgain = (page: Page, { retry = "Retry" }: Screen) =>
  page.getByRole("button", { name: retry, exact: true }).evaluateAll((buttons) => {
    for (const button of buttons) (button as HTMLButtonElement).click()
  })

/** Lets the time of the page run on until `isThere` holds: pauses between tries are not waited for. */
const comeTo = (page: Page, isThere: () => Promise<void>, step = 1_000) =>
  expect(async () => {
    await page.clock.fastForward(step)
    await isThere()
  }).toPass({ timeout: 60_000 })

/** The screens whose states the short suite sees: a list and a form. */
const quickly = new Set(["Client Details", "Advice form"])

const soon = { timeout: 250 }

for (const screen of screens) {
  const tag = quickly.has(screen.name) ? [] : ["@long"]
  const states = "loading, silence, a fault, no server, filled, session over"
  test(`${screen.name}: ${states}`, { tag }, async ({ cleanPage: page }) => {
    const desk = await Desk.signIn(page, "ADMIN", CODE)
    await keepBroker(desk)
    await page.clock.install()
    const network = await takeNetwork(page)

    await test.step("loading", async () => {
      network.fate = "wait"
      if (screen.open) await screen.open(page, network)
      else await page.goto(screen.address)
      await expect(page.getByText(screen.loading).first()).toBeAttached()
      await expect(sentence(page, screen)).toBeHidden()
      await expectLayout(page)
    })
    await test.step("nothing answers", async () => {
      await comeTo(page, () => expect(sentence(page, screen)).toBeVisible(soon), PAST_TIMEOUT)
      await expectLayout(page)
    })
    await test.step("the server is at fault", async () => {
      network.fate = "refuse"
      await tryAgain(page, screen)
      await expect(sentence(page, screen)).toBeVisible()
      await expect(page.getByText(screen.loading)).toHaveCount(0)
      await expectLayout(page)
    })
    await test.step("no server", async () => {
      network.fate = "cut"
      await tryAgain(page, screen)
      await comeTo(page, () => expect(sentence(page, screen)).toBeVisible(soon))
      await comeTo(page, () => expect(page.getByText(screen.loading)).toHaveCount(0, soon))
    })
    await test.step("filled, once the fault ends", async () => {
      network.fate = "pass"
      await tryAgain(page, screen)
      await comeTo(page, () => expect(screen.filled(page)).toBeVisible(soon), 200)
      await expect(sentence(page, screen)).toBeHidden()
      await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0)
    })
    await test.step("the session is over, and the log-in leads back", async () => {
      const at = page.url()
      // Waited for from the start: time that jumps on takes the message away again.
      const told = page
        .getByText("Session expired. Please log in again.")
        .waitFor({ timeout: 60_000 })
        .then(() => true)
      await desk.call("POST", "/auth/logout")
      // The socket tells most screens at once.
      if (!(await Promise.race([told, pause(1_500)]))) {
        await page.clock.fastForward(6 * 60_000)
        await screen.stir?.(page)
        await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")))
      }
      await told
      await expect(page.getByRole("heading", { level: 1, name: "Log in" })).toBeVisible()
      await logIn(page)
      await comeTo(page, () => expect(screen.filled(page)).toBeVisible(soon), 200)
      expect(page.url()).toBe(at)
    })
  })
}
