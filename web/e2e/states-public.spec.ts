import { expect, type Page } from "@playwright/test"
import { Desk } from "./desk"
import { PAST_TIMEOUT, takeNetwork } from "./network"
import { test } from "./test"

/** The pages before the log-in, the way in, and the broker's way back: with no answer, a fault, no server, and then with one. */

const network = "Network error. Check your connection and try again."
const wrong = "Something went wrong"
const everything = /\/api\/v1\//
const run = Date.now().toString(36)

/** Takes control of the page's clock and of its calls. */
async function hold(page: Page, which: RegExp) {
  await page.clock.install()
  return takeNetwork(page, which)
}

interface PublicPage {
  name: string
  open: (page: Page) => Promise<void>
  fill: (page: Page) => Promise<void>
  /** The button that sends the form. */
  send: string
  /** What is said when nothing was reached; the same words may do for both. */
  says: { fault: string; silence: string }
  /** What the real server answers in the end. */
  answered: string
}

const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true })

async function fillPasswords(page: Page, password: string) {
  await field(page, "Password").fill(password)
  await field(page, "Confirm Password").fill(password)
}

const pages: PublicPage[] = [
  {
    name: "Log in",
    open: (page) => page.goto("/auth/login").then(() => undefined),
    fill: async (page) => {
      await field(page, "Email").fill("user@tarazu.example")
      await field(page, "Password").fill("demo-user-2026")
    },
    send: "Log in",
    says: { fault: wrong, silence: network },
    answered: "Total AUM",
  },
  {
    name: "Sign up",
    open: (page) => page.goto("/auth/signup").then(() => undefined),
    fill: async (page) => {
      await field(page, "Name").fill("Nandini Rao")
      await field(page, "Email").fill(`nandini.${run}@states.example`)
      await field(page, "Password").fill("seven-oaks-7")
    },
    send: "Get Started",
    says: { fault: wrong, silence: network },
    answered: "Signup successful!",
  },
  {
    name: "Forgot password",
    open: (page) => page.goto("/auth/forgot-password").then(() => undefined),
    fill: (page) => field(page, "Email").fill(`nobody.${run}@states.example`),
    send: "Continue",
    says: { fault: wrong, silence: wrong },
    answered: "Reset link sent to your email",
  },
  {
    name: "One-time code",
    open: async (page) => {
      await page.goto("/auth/forgot-password")
      await field(page, "Email").fill(`nobody.${run}@states.example`)
      await page.getByRole("button", { name: "Use a one-time code" }).click()
      await expect(page.getByRole("button", { name: "Verify" })).toBeVisible()
    },
    fill: async (page) => {
      await page.getByRole("textbox").first().focus()
      await page.keyboard.type("0000")
    },
    send: "Verify",
    says: { fault: wrong, silence: wrong },
    answered: "Invalid OTP. Please try again.",
  },
  {
    name: "Reset password by a link",
    open: (page) => page.goto("/auth/forgot-password/not-a-link-of-ours").then(() => undefined),
    fill: (page) => fillPasswords(page, "nine-birches-9"),
    send: "Reset Password",
    says: { fault: wrong, silence: wrong },
    answered: "This reset link is invalid or has expired.",
  },
  {
    name: "Reset password while signed in",
    open: async (page) => {
      await Desk.signIn(page, "USER")
      await page.goto("/auth/reset-password")
    },
    fill: (page) => fillPasswords(page, "demo-user-2026"),
    send: "Reset Password",
    says: { fault: wrong, silence: wrong },
    answered: "New password must differ from the previous one.",
  },
]

for (const { name, open, fill, send, says, answered } of pages) {
  const tag = name === "Log in" ? [] : ["@long"]
  test(
    `${name}: no answer, a fault, no server, and an answer`,
    { tag },
    async ({ cleanPage: page }) => {
      const calls = await hold(page, everything)
      await open(page)
      await fill(page)
      const button = page.locator("button[type='submit']")
      // A page may say much the same before it is sent.
      const told = (words: string) => page.getByText(words, { exact: true }).first()
      const dismiss = async () => {
        await page.clock.fastForward(6_000)
        await expect(page.getByRole("button", { name: "Dismiss message" })).toHaveCount(0)
      }

      calls.fate = "wait"
      await button.click()
      await expect(button).toHaveAttribute("aria-busy", "true")
      await expect(button).toBeDisabled()
      await page.clock.fastForward(PAST_TIMEOUT)
      await expect(told(says.silence)).toBeVisible()
      await expect(button).toHaveText(send)
      await expect(button).toBeEnabled()
      await dismiss()

      calls.fate = "refuse"
      await button.click()
      await expect(told(says.fault)).toBeVisible()
      await dismiss()

      calls.fate = "cut"
      await button.click()
      await expect(told(says.silence)).toBeVisible()
      await dismiss()

      calls.fate = "pass"
      await button.click()
      await expect(told(answered)).toBeVisible()
    },
  )
}

test(
  "the way in: a server that does not say who is signed in keeps nobody out",
  { tag: "@long" },
  async ({ page }) => {
    await Desk.signIn(page)
    const calls = await hold(page, /\/auth\/verify-token/)

    calls.fate = "wait"
    await page.goto("/home/fees")
    // The screen does not wait for it.
    await expect(page.getByRole("heading", { level: 1, name: "Fees" })).toBeVisible()
    await expect(page.getByRole("cell", { name: /₹/ }).first()).toBeVisible()
    await page.clock.fastForward(PAST_TIMEOUT)
    await expect(page.getByRole("heading", { level: 1, name: "Fees" })).toBeVisible()

    calls.fate = "refuse"
    await page.reload()
    await expect(page.getByRole("cell", { name: /₹/ }).first()).toBeVisible()
  },
)

test(
  "the broker's way back: a server that does not answer is waited for, then the log-in is shown",
  { tag: "@long" },
  async ({ page }) => {
    await Desk.signIn(page)
    const calls = await hold(page, /\/auth\/verify-token/)
    calls.fate = "wait"
    await page.goto("/redirect?status=success&request_token=a-token")
    await expect(page.getByRole("heading", { name: "Redirecting..." })).toBeVisible()
    await expect(page.getByText("Please wait while we redirect you.")).toBeVisible()
    await page.clock.fastForward(PAST_TIMEOUT)
    await expect(page.getByRole("heading", { name: "Log in" })).toBeVisible()
    expect(await page.evaluate(() => sessionStorage.getItem("token"))).toBeNull()
  },
)
