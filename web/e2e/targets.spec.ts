import { type CDPSession, expect, type Locator, type Page } from "@playwright/test"
import { Desk } from "./desk"
import { CODE } from "./screens"
import { test } from "./test"

/** Targets typed faster than a person can, on a machine that is six times as slow. */

const keys: Record<string, { key: string; code: string; text?: string; number: number }> = {
  ".": { key: ".", code: "Period", text: ".", number: 190 },
  Tab: { key: "Tab", code: "Tab", number: 9 },
  ArrowDown: { key: "ArrowDown", code: "ArrowDown", number: 40 },
  Enter: { key: "Enter", code: "Enter", text: "\r", number: 13 },
}

/** The browser's description of one key. */
function keyOf(name: string) {
  const digit = { key: name, code: `Digit${name}`, text: name, number: name.charCodeAt(0) }
  const { number, ...key } = keys[name] ?? digit
  return { ...key, windowsVirtualKeyCode: number }
}

/** Sends all of these keys without waiting for the page between them. */
const burst = (browser: CDPSession, names: string[]) =>
  Promise.all(
    names.flatMap((name) => [
      browser.send("Input.dispatchKeyEvent", { type: "keyDown", ...keyOf(name) }),
      browser.send("Input.dispatchKeyEvent", { type: "keyUp", ...keyOf(name), text: undefined }),
    ]),
  )

const press = (browser: CDPSession, type: "mousePressed" | "mouseReleased", x: number, y: number) =>
  browser.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 })

/** Clicks the middle of a field and types at once: no answer of the page is waited for. */
async function clickAndType(browser: CDPSession, field: Locator, names: string[]) {
  const box = await field.boundingBox()
  if (!box) throw new Error("The field is not on the screen.")
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await Promise.all([
    press(browser, "mousePressed", x, y),
    press(browser, "mouseReleased", x, y),
    burst(browser, names),
  ])
}

async function openForm(page: Page) {
  await Desk.signIn(page)
  await page.goto("/home/advice")
  await page.getByLabel("Client code").fill(CODE)
  const targets = page.getByLabel(/^Target Allocation of/)
  await expect(targets.nth(4)).toBeVisible()
  return targets
}

test(
  "4.25 typed without a pause is 4.25, however the target was reached",
  { tag: "@long" },
  async ({ cleanPage: page }) => {
    const targets = await openForm(page)
    const browser = await page.context().newCDPSession(page)
    await browser.send("Emulation.setCPUThrottlingRate", { rate: 6 })
    const empty = async (field: Locator) => {
      await field.fill("")
      await field.press("Enter")
    }

    for (let round = 0; round < 20; round += 1) {
      const [from, to] = [targets.nth(0), targets.nth(1)]
      const typed = ["4", ".", "2", "5", "Enter"]
      // The field begins empty at one time, with a target to be replaced at another.
      if (round % 2 === 0) await empty(to)
      await from.focus()
      if (round % 3 === 0) await clickAndType(browser, to, typed)
      else
        await burst(browser, [
          ...(round % 3 === 1 ? ["ArrowDown"] : ["Tab", "Tab", "Tab"]),
          ...typed,
        ])
      await expect(to, `round ${round}`).toHaveValue("4.25%")
      await expect(from).toHaveValue("")
    }
  },
)

test(
  "a code that was selected before the search for clients is there is replaced by what is typed then",
  { tag: "@long" },
  async ({ cleanPage: page }) => {
    await openForm(page)
    let arrive = () => {}
    const arrives = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await page.route(/client-code-search/, async (route) => {
      await arrives
      await route.continue()
    })
    await page.reload()
    const code = page.getByLabel("Client code")
    await code.selectText()
    await expect(code).not.toHaveAttribute("aria-haspopup")

    arrive()
    await expect(code).toHaveAttribute("aria-haspopup", "listbox")
    await page.keyboard.type("C0008")

    await expect(code).toHaveValue("C0008")
  },
)

test(
  "Ctrl Z takes targets back and leaves the client code; another code keeps the draft over a reload",
  { tag: "@long" },
  async ({ cleanPage: page }) => {
    const targets = await openForm(page)
    const code = page.getByLabel("Client code")
    for (const place of [0, 1]) {
      await targets.nth(place).focus()
      await page.keyboard.type("4.25")
      await page.keyboard.press("Enter")
    }

    await page.keyboard.press("Control+z")
    await expect(targets.nth(1)).toHaveValue("")
    await code.focus()
    for (let times = 0; times < 8; times += 1) await page.keyboard.press("Control+z")
    await page.getByLabel("Search stock to add").focus()
    for (let times = 0; times < 8; times += 1) await page.keyboard.press("Control+z")
    await expect(targets.nth(0)).toHaveValue("")
    await expect(code).toHaveValue(CODE)

    await targets.nth(0).focus()
    await page.keyboard.type("7.5")
    await page.keyboard.press("Enter")
    await code.fill("C0008")
    await expect(page.getByText(/^There is a saved draft/)).toHaveCount(0)
    await expect(targets.nth(4)).toBeVisible()
    await page.reload()
    await expect(targets.nth(4)).toBeVisible()
    await code.fill(CODE)
    await expect(page.getByText(/^There is a saved draft from \d\d:\d\d\.$/)).toBeVisible()
    await page.getByRole("button", { name: "Restore" }).click()
    await expect(targets.nth(0)).toHaveValue("7.50%")
  },
)
