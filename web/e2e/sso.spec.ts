import { expect, type Page } from "@playwright/test"
import { expectNoFaults } from "./faults"
import { provider } from "./servers"
import { test } from "./test"

/** Single sign-on at an OpenID Connect provider, from the log-in page and back. */

const onProvider = (page: Page) => page.waitForURL(`${provider}/**`)
const begin = (page: Page) => page.getByRole("button", { name: "Sahyadri ID" }).click()

test(
  "somebody with the verified address of an account comes back to the screen asked for",
  { tag: "@long" },
  async ({ cleanPage: page }) => {
    await page.goto("/home/client/details?query=mehta")
    await expectNoFaults(page, "the log-in page with single sign-on")
    await begin(page)
    await onProvider(page)
    await page.getByRole("button", { name: "ananya" }).click()

    await expect(page.getByRole("cell", { name: "Deepa Mehta", exact: true })).toBeVisible()
    await expect(page).toHaveURL("/home/client/details?query=mehta")
  },
)

/** Whom the provider names, and the sentence that the person reads. */
const refused = [
  ["ravi", "Your single sign-on has not verified your email address. Ask its administrator."],
  ["meera", "There is no account with your email address here. Ask an administrator to add you."],
] as const

for (const [person, sentence] of refused)
  test(`${person} of the provider reads why nothing opens`, { tag: "@long" }, async ({ page }) => {
    await page.goto("/auth/login")
    await begin(page)
    await onProvider(page)
    await page.getByRole("button", { name: person }).click()
    await expect(page.getByRole("alert")).toHaveText(sentence)
    await expectNoFaults(page, "a refused single sign-on")
  })

test("who denies it at the provider can begin again", { tag: "@long" }, async ({ page }) => {
  await page.goto("/auth/login")
  await begin(page)
  await onProvider(page)
  await page.getByRole("button", { name: "Deny" }).click()
  await page.getByRole("link", { name: "Back to log in" }).click()
  await begin(page)
  await onProvider(page)
  await page.getByRole("button", { name: "ananya" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible()
})
