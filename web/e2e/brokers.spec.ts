import { expect, type Page } from "@playwright/test"
import { Desk } from "./desk"
import { faultsOf } from "./faults"
import { test } from "./test"

/** Brokers on the demo firm's real server: a record and its mask, who may change it, and the return page. */
test.describe.configure({ mode: "serial" })

const ANDROID = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/141.0 Mobile"
const RETURN = "/redirect?status=success&request_token=kite-token&action=login&state=made-up"

// When the return page shows its link, says that the phone has no app, and redirects automatically.
const LINK_AFTER = 2_000
const APP_MISSING_AFTER = 3_000
const ON_AFTER = 10_000

const card = (page: Page, name: string) => page.getByRole("region", { name })
const secret = (page: Page) => page.getByLabel("API Secret")

async function openZerodha(page: Page) {
  await page.goto("/home/broker-details")
  await card(page, "Zerodha").getByRole("button").click()
  await expect(page.getByLabel("Broker Name")).toHaveValue("Zerodha")
}

test(
  "an ADMIN adds a broker; its secret is never shown again",
  { tag: "@long" },
  async ({ page }) => {
    await Desk.signIn(page)
    await openZerodha(page)
    await page.getByLabel("Description").fill("Kite Connect")
    await page.getByLabel("API Key").fill("kitekey123456")
    await secret(page).fill("canary-secret")
    expect(await faultsOf(page), "add").toEqual([])
    await page.getByRole("button", { name: "Save" }).click()
    await expect(page.getByText("Broker added successfully")).toBeVisible()

    await openZerodha(page)
    await expect(secret(page)).toHaveValue("********")
    await expect(page.getByLabel("API Key")).toHaveValue("kitekey123456")
    expect(await faultsOf(page), "edit").toEqual([])
  },
)

test(
  "an edit keeps the secret, another host wants it again",
  { tag: "@long" },
  async ({ page }) => {
    await Desk.signIn(page)
    await openZerodha(page)
    await expect(secret(page)).toHaveValue("********")
    await page.getByLabel("Description").fill("The firm's own app")
    await page.getByLabel("Yes").check()
    await page.getByRole("button", { name: "Save" }).click()
    await expect(page.getByText("Broker updated successfully")).toBeVisible()
    await expect(secret(page)).toHaveValue("********")

    await page.getByLabel("API URL").fill("https://kite.zerodha.com")
    await page.getByRole("button", { name: "Save" }).click()
    await expect(
      page.getByText(
        "Failed to save broker: Enter the API secret again when changing the API URL.",
      ),
    ).toBeVisible()
    await page.reload()
    await expect(page.getByLabel("API URL")).toHaveValue("https://api.kite.trade")
    await expect(page.getByLabel("Description")).toHaveValue("The firm's own app")
    await page.getByRole("button", { name: "Back" }).click()
    await expect(card(page, "Zerodha").getByRole("button", { name: "View" })).toBeVisible()
  },
)

test("a USER reads it, with the key's end alone", { tag: "@long" }, async ({ page }) => {
  await Desk.signIn(page, "USER")
  await openZerodha(page)

  await expect(page.getByLabel("API Key")).toHaveValue("****3456")
  await expect(page.getByLabel("API URL")).toHaveAttribute("readonly", "")
  await expect(page.getByRole("radio", { name: "Active", exact: true })).toBeDisabled()
  await expect(page.getByRole("button", { name: "Save" })).toHaveCount(0)
  expect(await faultsOf(page)).toEqual([])
})

test(
  "Connect Broker opens the broker's log-in with our key in a new tab",
  { tag: "@long" },
  async ({ page, context }) => {
    await context.route("https://kite.zerodha.com/**", (route) =>
      route.fulfill({ body: "<h1>Kite</h1>", contentType: "text/html" }),
    )
    await Desk.signIn(page)
    await page.goto("/home/advice")
    const [tab] = await Promise.all([
      context.waitForEvent("page"),
      page.getByRole("button", { name: "Connect Broker" }).click(),
    ])
    await tab.waitForURL(/kite\.zerodha\.com/)
    const asked = new URL(tab.url()).searchParams
    expect(asked.get("api_key")).toBe("kitekey123456")
    expect(asked.get("redirect_params")).toMatch(/^state=[\w-]{43}$/)

    // Back on our side the tab is still signed in, though the broker's page came in between.
    await tab.clock.install()
    await tab.goto(RETURN)
    await expect(tab.getByRole("heading", { name: "Redirecting..." })).toBeVisible()
    await expect(tab.getByText("Please wait while we redirect you.")).toBeVisible()
    expect(tab.url()).toMatch(/\/redirect$/)
    const link = tab.getByRole("link", { name: "Click here if not redirected" })
    await expect(link).toHaveCount(0)
    await tab.clock.fastForward(LINK_AFTER)
    await expect(link).toBeVisible()
    expect(await faultsOf(tab)).toEqual([])
    await tab.clock.fastForward(ON_AFTER)
    // The mark was not of this log-in, so the server refuses what came back.
    await expect(tab.getByText("Failed to connect broker")).toBeVisible()
    expect(tab.url()).toMatch(/\/home\/advice$/)
    expect(await tab.evaluate(() => sessionStorage.getItem("brokerToken"))).toBeNull()
  },
)

test("the return page sends others away", { tag: "@long" }, async ({ page }) => {
  await page.goto(RETURN)
  await expect(page.getByRole("heading", { name: "Log in" })).toBeVisible()
  expect(page.url()).not.toContain("request_token")

  await Desk.signIn(page, "USER")
  await page.goto(RETURN)
  await expect(page.getByRole("heading", { name: "Log in" })).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem("brokerToken"))).toBeNull()

  await page.evaluate(() => sessionStorage.setItem("token", "dead"))
  await page.goto(RETURN)
  await expect(page.getByRole("heading", { name: "Log in" })).toBeVisible()
  expect(await page.evaluate(() => sessionStorage.getItem("token"))).toBeNull()
})

test(
  "a return without a token says so and goes on to the advice form",
  { tag: "@long" },
  async ({ page }) => {
    await Desk.signIn(page)
    await page.clock.install()
    await page.goto("/redirect")
    await expect(page.getByRole("heading", { name: "Authentication Failed" })).toBeVisible()
    await expect(page.getByText("No valid broker token received.")).toBeVisible()
    await page.clock.fastForward(ON_AFTER)
    await expect(page.getByLabel("Client code")).toBeVisible()
  },
)

test.describe("on a phone", () => {
  test.use({ userAgent: ANDROID, viewport: { width: 390, height: 844 } })

  test("the app is opened; where there is none it says so", { tag: "@long" }, async ({ page }) => {
    await page.clock.install()
    await page.goto(RETURN)
    await expect(page.getByRole("heading", { name: "Redirecting..." })).toBeVisible()
    await page.clock.fastForward(LINK_AFTER)
    await expect(page.getByRole("link", { name: "Click here if not redirected" })).toHaveAttribute(
      "href",
      "tarazu://broker?status=success&request_token=kite-token",
    )
    await page.clock.fastForward(APP_MISSING_AFTER)
    await expect(page.getByRole("heading", { name: "App Not Found" })).toBeVisible()
    await expect(page.getByText("Please ensure your app is installed and try again.")).toBeVisible()
    expect(page.url()).toMatch(/\/redirect$/)
    expect(await faultsOf(page)).toEqual([])
  })

  test("without a token there is nothing to hand over", { tag: "@long" }, async ({ page }) => {
    await page.goto("/redirect?status=error")
    await expect(page.getByRole("heading", { name: "Authentication Failed" })).toBeVisible()
  })
})

test(
  "the chosen section of the settings is in view, on a desk and on a phone",
  { tag: "@long" },
  async ({ page }) => {
    await Desk.signIn(page)
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 })
      for (const section of ["profile", "firm", "fees", "holidays", "charges"]) {
        await page.goto(`/home/settings?section=${section}`)
        await expect(page.getByRole("tab", { selected: true })).toBeInViewport()
      }
    }
  },
)
