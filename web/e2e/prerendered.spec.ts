import { expect, type Page } from "@playwright/test"
import { test } from "./test"

/** Keeps the page as the build rendered it until the returned call lets its scripts come. */
async function holdScripts(page: Page) {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route("**/assets/*.js", async (route) => {
    await released
    await route.continue()
  })
  return () => release()
}

const email = (page: Page) => page.getByLabel("Email")
const password = (page: Page) => page.getByLabel("Password", { exact: true })
const box = (page: Page) => page.getByLabel("Remember Me")
/** Only fetched once the page is hydrated. */
const registration = (page: Page) => page.getByText("SEBI Research Analyst")

test("what is typed before the scripts come is kept, and Enter sends nothing yet", async ({
  cleanPage: page,
}) => {
  const release = await holdScripts(page)
  await page.goto("/auth/login?next=/home/fees", { waitUntil: "commit" })
  await email(page).fill("user@tarazu.example")
  await box(page).check()
  await password(page).click()
  await page.keyboard.type("demo-user")
  await page.keyboard.press("Enter")

  release()
  await expect(registration(page)).toBeVisible()

  expect(new URL(page.url()).search).toBe("?next=/home/fees")
  await expect(password(page)).toBeFocused()
  await expect(box(page)).toBeChecked()
  await page.keyboard.type("-2026")
  await page.keyboard.press("Enter")
  await expect(page.getByRole("heading", { level: 1, name: "Fees" })).toBeVisible()
})

test("a remembered email is filled in, unless another was typed", async ({ cleanPage: page }) => {
  await page.addInitScript(() => localStorage.setItem("tarazu.email", '"asha@example.in"'))
  await page.goto("/auth/login")
  await expect(registration(page)).toBeVisible()
  await expect(email(page)).toHaveValue("asha@example.in")
  await expect(box(page)).toBeChecked()

  const release = await holdScripts(page)
  await page.goto("/auth/login", { waitUntil: "commit" })
  await email(page).fill("meera@example.in")
  release()
  await expect(registration(page)).toBeVisible()
  await password(page).fill("anything")
  await expect(email(page)).toHaveValue("meera@example.in")
})

test("the sign-up is dark before its scripts come where the device is", async ({
  cleanPage: page,
}) => {
  await page.emulateMedia({ colorScheme: "dark" })
  const release = await holdScripts(page)
  await page.goto("/auth/signup", { waitUntil: "commit" })
  await expect(page.getByRole("heading", { name: "Sign up" })).toBeVisible()
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const early = await ground()

  release()
  await expect(registration(page)).toBeVisible()

  expect(early).toBe("rgb(14, 17, 21)")
  expect(await ground()).toBe(early)
})
