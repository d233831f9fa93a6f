import { expect } from "@playwright/test"
import {
  addBroker,
  brokerButton,
  connectBroker,
  connectionCard,
  continueAt,
  logInAtBroker,
  openClient,
  openOutside,
  sendConnectLink,
  setStatus,
} from "./at-brokers"
import { Desk } from "./desk"
import { expectNoFaults } from "./faults"
import { test } from "./test"

/** Log-ins at the brokers' own pages, the simulator's: the firm's and its clients', from the click to the books. */
test.describe.configure({ mode: "serial" })

const ANDROID = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/141.0 Mobile"

test(
  "an ADMIN logs the firm in at Angel One, through its page and back",
  { tag: "@long" },
  async ({ page }) => {
    await Desk.signIn(page)
    await addBroker(page, "Angel One", "ANGEL_ONE")
    await page.goto("/home/advice")

    const tab = await connectBroker(page)
    expect(new URL(tab.url()).pathname).toBe("/publisher-login")
    await tab.clock.install()
    await logInAtBroker(tab, "A123456")
    await expect(tab.getByRole("heading", { name: "Redirecting..." })).toBeVisible()
    expect(tab.url()).toMatch(/\/redirect$/)
    // The page redirects automatically after ten seconds; the tab still has the session it was opened with.
    await tab.clock.fastForward(10_000)
    await expect(tab.getByText("Broker connected successfully")).toBeVisible()
    await expect(brokerButton(tab)).toHaveText("Broker Connected")
    await expect(brokerButton(tab)).toBeDisabled()
    expect(await tab.evaluate(() => Object.keys(sessionStorage).sort())).not.toContain(
      "brokerToken",
    )
    expect(await tab.evaluate(() => sessionStorage.getItem("brokerLogin"))).toBeNull()

    await page.reload()
    await expect(brokerButton(page)).toHaveText("Broker Connected")
    await page.goto("/home/broker-details")
    await expect(page.getByText(/Connected until/)).toBeVisible()
  },
)

test(
  "with Angel One inactive the firm logs in at Zerodha; a refused log-in says so",
  { tag: "@long" },
  async ({ page }) => {
    await Desk.signIn(page)
    await setStatus(page, "Angel One", "Inactive")
    await addBroker(page, "Zerodha", "ZERODHA")
    await page.goto("/home/advice")
    await expect(brokerButton(page)).toHaveText("Connect Broker")

    const refused = await connectBroker(page)
    await logInAtBroker(refused, "AB1234", "Cancel")
    await expect(refused.getByRole("heading", { name: "Authentication Failed" })).toBeVisible()
    await expect(refused.getByText("No valid broker token received.")).toBeVisible()
    await refused.close()

    const tab = await connectBroker(page)
    expect(new URL(tab.url()).pathname).toBe("/connect/login")
    await logInAtBroker(tab, "AB1234")
    await tab.getByRole("link", { name: "Click here if not redirected" }).click()
    await expect(tab.getByText("Broker connected successfully")).toBeVisible()
    await expect(brokerButton(tab)).toHaveText("Broker Connected")

    await setStatus(page, "Angel One", "Active")
  },
)

test(
  "a client connects by the mailed link; staff confirm the ID, and every place says so",
  { tag: "@long" },
  async ({ page, context }) => {
    const desk = await Desk.signIn(page)
    await desk.addClients("Ishaan Broker")
    const address = await sendConnectLink(page, "Ishaan Broker")

    const client = await openOutside(context)
    await client.goto(address)
    await expect(client.getByRole("heading", { name: "Connect your broker" })).toBeVisible()
    await expect(client.getByText("SEBI Research Analyst")).toBeVisible()
    await expectNoFaults(client, "connect page")
    await continueAt(client, "Zerodha", "AB1300")
    await expect(client.getByRole("heading", { name: "Almost done" })).toBeVisible()
    await expect(client.getByText("AB1300")).toBeVisible()
    expect(client.url()).toMatch(/\/redirect$/)
    await expectNoFaults(client, "almost done")

    await openClient(page, "Ishaan Broker")
    await expect(connectionCard(page).getByText("To confirm")).toBeVisible()
    await expect(
      connectionCard(page).getByText("Is AB1300 the ID of Ishaan Broker at Zerodha?"),
    ).toBeVisible()
    await expectNoFaults(page, "profile with an ID to confirm")
    await connectionCard(page).getByRole("button", { name: "Confirm" }).click()
    await expect(page.getByText("Broker ID confirmed")).toBeVisible()
    await expect(connectionCard(page).getByText("Login", { exact: true })).toBeVisible()
    await expect(page.getByRole("group", { name: "Broker ID" })).toContainText("AB1300")
    await page.goto("/home/client/details?query=Ishaan%20Broker")
    await expect(page.getByRole("row", { name: /Ishaan Broker/ })).toContainText("Login")

    // The link is used up.
    await client.goto(address)
    await expect(client.getByRole("heading", { name: "This link no longer works" })).toBeVisible()
    await expect(client.getByText("This link is invalid or has expired.")).toBeVisible()
    await client.context().close()
  },
)

test(
  "on a phone a client ends in the browser; another person's ID is refused",
  { tag: "@long" },
  async ({ page, context }) => {
    const desk = await Desk.signIn(page)
    const [added] = await desk.addClients("Meenal Handy")
    const path = `/admin/clients/client/${added?.id ?? ""}`
    const link = async () =>
      (await desk.call<{ url: string }>("POST", `${path}/connect-link`, { send: false })).url

    const phone = await openOutside(context, { userAgent: ANDROID })
    await phone.goto(await link())
    await expectNoFaults(phone, "connect page on a phone")
    await continueAt(phone, "Angel One", "A123500")
    await expect(phone.getByRole("heading", { name: "Almost done" })).toBeVisible()
    const { sessionId } = await desk.call<{ sessionId: string }>("GET", `${path}/connection`)
    await desk.call("POST", `${path}/connection/confirm`, { sessionId })

    const address = await link()
    await phone.goto(address)
    await expect(phone.getByRole("button", { name: "Continue to Zerodha" })).toHaveCount(0)
    await continueAt(phone, "Angel One", "A123501")
    await expect(phone.getByRole("heading", { name: "Not connected" })).toBeVisible()
    await expect(
      phone.getByText(/You logged in at Angel One as A123501, which is not/),
    ).toBeVisible()
    await expectNoFaults(phone, "not connected")

    // The link is still good for the client, whose ID is known by now.
    await phone.goto(address)
    await continueAt(phone, "Angel One", "A123500", "Cancel")
    await expect(phone.getByRole("heading", { name: "Authentication Failed" })).toBeVisible()
    await phone.goto(address)
    await continueAt(phone, "Angel One", "A123500")
    await expect(phone.getByRole("heading", { name: "You are connected" })).toBeVisible()
    await phone.context().close()
  },
)

test(
  "staff refuse an ID, end a session and forget an ID",
  { tag: "@long" },
  async ({ page, context }) => {
    const desk = await Desk.open(page)
    const [added] = await desk.addClients("Rohan Wrong")
    const id = added?.id ?? ""
    await desk.seat(page, added)
    const outside = await openOutside(context)
    const logIn = async (userId: string) => {
      const path = `/admin/clients/client/${id}/connect-link`
      await outside.goto((await desk.call<{ url: string }>("POST", path, { send: false })).url)
      await continueAt(outside, "Zerodha", userId)
      await expect(outside.getByText("You can close this page.")).toBeVisible()
    }
    await logIn("AB1400")
    await page.goto("/home/client/profile")
    await connectionCard(page).getByRole("button", { name: "Refuse" }).click()
    await expect(
      connectionCard(page).getByText(/AB1400 was refused as the client’s ID/),
    ).toBeVisible()
    await expect(connectionCard(page).getByText("Logout")).toBeVisible()

    await logIn("AB1401")
    await connectionCard(page).getByRole("button", { name: "Confirm" }).click()
    await expect(connectionCard(page).getByText("Login", { exact: true })).toBeVisible()
    await connectionCard(page).getByRole("button", { name: "More about the connection" }).click()
    await page.getByRole("menuitem", { name: "End session" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "End session" }).click()
    await expect(connectionCard(page).getByText(/Staff ended the session/)).toBeVisible()

    await connectionCard(page).getByRole("button", { name: "More about the connection" }).click()
    await page.getByRole("menuitem", { name: "Forget ID" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Forget ID" }).click()
    await expect(page.getByText("Broker ID forgotten")).toBeVisible()
    await expectNoFaults(page, "profile, logged out")
    await outside.context().close()
  },
)
