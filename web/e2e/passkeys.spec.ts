import { readFileSync } from "node:fs"
import { expect, type Page } from "@playwright/test"
import { namedAddress } from "./servers"
import { test } from "./test"

/**
 * A passkey from its adding to the log-in and the confirmation of an export, in Chromium with an authenticator of
 * its own. The installation asks for confirmations once an administrator has turned them on.
 */
test.describe.configure({ mode: "serial" })

const login = { email: "admin@tarazu.example", password: "demo-admin-2026" }
let page: Page

const field = (name: string) => page.getByRole("textbox", { name, exact: true })
const button = (name: string) => page.getByRole("button", { name, exact: true })
const confirmation = () => page.getByRole("dialog", { name: "Confirm that it is you" })

test.beforeAll(async ({ browser, served }) => {
  expect(served).not.toBe("")
  const context = await browser.newContext({ reducedMotion: "reduce", baseURL: namedAddress })
  page = await context.newPage()
  const tools = await context.newCDPSession(page)
  await tools.send("WebAuthn.enable")
  await tools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
})

test.afterAll(async () => {
  await page.context().close()
})

test("a passkey is added in the settings", async () => {
  await page.goto("/auth/login")
  await field("Email").fill(login.email)
  await field("Password").fill(login.password)
  await button("Log in").click()
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible()

  await page.goto("/home/settings")
  await button("Add passkey").click()
  await field("Name").fill("Office laptop")
  await button("Continue").click()

  await expect(page.getByText("Passkey added")).toBeVisible()
  await expect(button("Remove Office laptop")).toBeVisible()
})

test("it logs in without a password", async () => {
  await button("Logout").click()
  await button("Log in with a passkey").click()

  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible()
})

test("the confirmation is turned on, for a minute", async () => {
  await page.goto("/home/settings?section=signIn")
  await page.getByLabel("Confirm exports, broker keys and roles").check()
  await field("A confirmation is good for (minutes)").fill("1")
  await button("Save").click()

  await expect(page.getByText("Saved.")).toBeVisible()
})

/** The server says that the last proof is too old, once: no test waits for a minute to pass. */
async function proofIsOld(path: string) {
  const refusal = {
    success: false,
    message: "Confirm that it is you.",
    code: "STEP_UP_REQUIRED",
  }
  await page.route(path, (route) => route.fulfill({ status: 403, json: refusal }), { times: 1 })
}

test("an export asks for the passkey, and then downloads", async () => {
  await page.goto("/home/audit")
  await proofIsOld("**/api/v1/admin/audit/export**")
  const download = page.waitForEvent("download")
  await page.getByRole("button", { name: "Table options" }).click()
  await page.getByRole("menuitem", { name: "Download CSV" }).click()
  await expect(confirmation()).toBeVisible()
  await confirmation().getByRole("button", { name: "Use a passkey" }).click()

  const text = readFileSync(await (await download).path(), "utf8")
  expect(text).toContain("passkey_added")
  expect(text).toContain("identity_confirmed")
  await expect(confirmation()).toBeHidden()
})

test("the password confirms as well, and a wrong one is said at its field", async () => {
  await proofIsOld("**/api/v1/admin/audit/export**")
  const download = page.waitForEvent("download")
  await page.getByRole("button", { name: "Table options" }).click()
  await page.getByRole("menuitem", { name: "Download CSV" }).click()
  await confirmation().getByRole("textbox", { name: "Password" }).fill("not this one")
  await page.keyboard.press("Enter")
  await expect(confirmation().getByText("The password is not right.")).toBeVisible()
  await confirmation().getByRole("textbox", { name: "Password" }).fill(login.password)
  await page.keyboard.press("Enter")

  expect((await download).suggestedFilename()).toMatch(/^audit-trail-.*\.csv$/)
})

test("a removed passkey logs in no more", async () => {
  await page.goto("/home/settings")
  await button("Remove Office laptop").click()
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
  await expect(page.getByText("Passkeys you add appear here.")).toBeVisible()
  await button("Logout").click()
  await button("Log in with a passkey").click()

  await expect(page.getByText("This passkey was not accepted.", { exact: false })).toBeVisible()
  await expect(page.getByRole("heading", { name: "Log in" })).toBeVisible()
})
