import { createHmac } from "node:crypto"
import { expect, type Page } from "@playwright/test"
import { expectNoFaults } from "./faults"
import { mailed } from "./mails"
import { test } from "./test"

/**
 * Ways back into an account, on the demo firm, whose sign-up is open: each run makes an account of its own, and
 * reads its mails where the server writes them.
 */
test.describe.configure({ mode: "serial" })

const email = `lost-${Date.now()}@desk.example`
const passwords = ["seven-oaks-7", "nine-birches-9", "ten-willows-10"] as const

let page: Page
const refused: string[] = []

test.beforeAll(async ({ browser }) => {
  const context = await browser.newContext({ reducedMotion: "reduce" })
  page = await context.newPage()
  page.on("console", (message) => {
    if (message.type() === "error" && /content security|refused/i.test(message.text()))
      refused.push(message.text())
  })
  page.on("pageerror", (error) => refused.push(error.message))
})

test.afterAll(async () => {
  expect(refused).toEqual([])
  await page.context().close()
})

/** What `pattern` finds in the newest mail to the account that has it. */
const newestMailed = async (pattern: RegExp) => (await mailed(email, pattern)).at(-1) ?? ""

const field = (name: string) => page.getByRole("textbox", { name, exact: true })

async function logIn(password: string) {
  await expect(page.getByRole("heading", { name: "Log in" })).toBeVisible()
  await field("Email").fill(email)
  await field("Password").fill(password)
  await page.getByRole("button", { name: "Log in" }).click()
}

async function setPassword(password: string) {
  await expect(page.getByRole("heading", { name: "Reset password" })).toBeVisible()
  await field("Password").fill(password)
  await field("Confirm Password").fill(password)
  await page.getByRole("button", { name: "Reset Password" }).click()
}

test("a forgotten password is reset by the mailed link", async () => {
  await page.goto("/auth/signup")
  await field("Name").fill("Lata Rao")
  await field("Email").fill(email)
  await field("Password").fill(passwords[0])
  await page.getByRole("button", { name: "Get Started" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible()
  await page.getByRole("button", { name: "Logout" }).click()

  await page.getByRole("link", { name: "Forgot Password" }).click()
  await page.getByRole("button", { name: "Continue" }).click()
  await expect(page.getByText("Email is required")).toBeVisible()
  await expectNoFaults(page, "forgot password")
  await field("Email").fill(email)
  await page.getByRole("button", { name: "Continue" }).click()
  await expect(page.getByText("Reset link sent to your email")).toBeVisible()

  await page.goto(await newestMailed(/(http:\S+\/auth\/forgot-password\/[\w-]{43})/))
  await page.getByRole("button", { name: "Reset Password" }).click()
  await expect(page.getByText("Confirm Password is required")).toBeVisible()
  await expectNoFaults(page, "reset password")
  await setPassword(passwords[0])
  // The page's own lead says nearly the same.
  await expect(
    page.getByText("New password must differ from the previous one.", { exact: true }).first(),
  ).toBeVisible()
  await setPassword(passwords[1])
  await expect(page.getByText("Password reset successfully")).toBeVisible()
  await logIn(passwords[1])
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible()
})

test("a used link is of no use", async () => {
  await page.goto(await newestMailed(/(http:\S+\/auth\/forgot-password\/[\w-]{43})/))
  await setPassword(passwords[2])
  await expect(page.getByText("This reset link is invalid or has expired.")).toBeVisible()
})

test("a one-time code does the same", async () => {
  await page.goto("/auth/forgot-password")
  await field("Email").fill(email)
  await page.getByRole("button", { name: "Use a one-time code" }).click()
  await expect(page.getByRole("button", { name: "Resend OTP" })).toBeDisabled()
  await page.getByRole("button", { name: "Verify" }).click()
  await expect(page.getByText("Please enter the complete OTP")).toBeVisible()
  await expectNoFaults(page, "one-time code")

  const code = await newestMailed(/One-time code: (\d{4})/)
  await page.keyboard.type(code === "0000" ? "1111" : "0000")
  await page.keyboard.press("Enter")
  await expect(page.getByText("Invalid OTP. Please try again.")).toBeVisible()
  await page.keyboard.type(code)
  await page.keyboard.press("Enter")
  await expect(page.getByText("OTP verified successfully!")).toBeVisible()
  await expect(page).toHaveURL(/\/new-password$/)
  await setPassword(passwords[2])
  await logIn(passwords[2])
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible()
})

/** The code of now, as an authenticator app makes it (RFC 6238). */
function codeOf(key: string): string {
  const bits = Array.from(key, (letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  ).join("")
  const seed = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const digest = createHmac("sha1", seed).update(step).digest()
  const number = digest.readUInt32BE(digest.readUInt8(19) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, "0")
}

test("a second factor is set up and asked for; a recovery code opens once", async () => {
  await page.getByRole("link", { name: "Settings" }).click()
  await page.getByRole("button", { name: "Set up" }).click()
  const dialog = page.getByRole("dialog", { name: "Set up the second factor" })
  await dialog.getByRole("textbox", { name: "Password" }).fill(passwords[2])
  await dialog.getByRole("button", { name: "Continue" }).click()
  await expectNoFaults(page, "second factor")
  const key = (await dialog.getByRole("code").innerText()).replace(/ /g, "")
  await dialog.getByRole("textbox", { name: "Code" }).fill(codeOf(key))
  await dialog.getByRole("button", { name: "Confirm" }).click()
  const recovery = await dialog.getByRole("listitem").first().innerText()
  await expectNoFaults(page, "recovery codes")
  await dialog.getByRole("button", { name: "I have saved them" }).click()
  await expect(page.getByText("10 of 10 recovery codes are left.")).toBeVisible()
  await page.getByRole("button", { name: "Logout" }).click()

  await logIn(passwords[2])
  const code = field("Authenticator code")
  await expect(code).toBeFocused()
  await expectNoFaults(page, "log in with a code")
  await code.fill(recovery)
  await code.press("Enter")
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible()
  await page.getByRole("link", { name: "Settings" }).click()
  await expect(page.getByText("9 of 10 recovery codes are left.")).toBeVisible()
  await expect(page.getByText("This session")).toBeVisible()
})
