import { expect, type Locator, type Page } from "@playwright/test"

export async function pressKeys(page: Page, ...names: string[]) {
  for (const name of names) await page.keyboard.press(name)
}
/** Something is drawn around what has the focus: an outline, a border or a shadow that it has not without. */
export async function expectFocusSeen(page: Page) {
  const isSeen = await page.evaluate(() => {
    const focused = document.activeElement
    if (!(focused instanceof HTMLElement) || focused === document.body)
      return "nothing has the focus"
    const drawn = (element: Element) => {
      const { outlineStyle, outlineWidth, boxShadow, borderColor, backgroundColor } =
        getComputedStyle(element)
      const outline = outlineStyle === "none" ? "none" : `${outlineStyle} ${outlineWidth}`
      return [outline, boxShadow, borderColor, backgroundColor].join(";")
    }
    // A field may draw the ring on the frame around it.
    const frames = [focused, focused.parentElement, focused.parentElement?.parentElement].filter(
      (each) => each instanceof HTMLElement,
    )
    const withFocus = frames.map(drawn).join("|")
    focused.blur()
    const without = frames.map(drawn).join("|")
    focused.focus({ preventScroll: true, focusVisible: true } as FocusOptions)
    return withFocus === without ? `no ring on ${focused.outerHTML.slice(0, 120)}` : ""
  })
  expect.soft(isSeen).toBe("")
}

/** Goes on with Tab until `there` has the focus; every stop on the way shows it. */
export async function tabTo(page: Page, there: Locator, most = 60, back = false) {
  for (let steps = 0; steps < most; steps += 1) {
    if (await there.evaluate((element) => element === document.activeElement).catch(() => false)) {
      await expectFocusSeen(page)
      return
    }
    await pressKeys(page, back ? "Shift+Tab" : "Tab")
  }
  throw new Error(`Tab does not reach ${there.toString()}`)
}
