import {
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
} from "@playwright/test"
import { type Desk, once } from "./desk"
import { mailed } from "./mails"
import { brokersSite, simulator } from "./servers"

/** The brokers of the tests: a simulator beside the server, whose log-in pages ask for no password. */

export const brokerButton = (page: Page) =>
  page.getByRole("button", { name: /Connect Broker|Broker Connected/ })

interface Keys {
  apiKeys: Record<string, string>
  apiSecrets: Record<string, string>
}

const keysOf = async (page: Page) =>
  (await (
    await page.request.get(`${simulator}/_simulator/people`, { headers: once })
  ).json()) as Keys

/** The broker in the records, active, at the simulator; whether it was there before or not. */
export async function readyBroker(page: Page, desk: Desk, name: string) {
  const keys = await keysOf(page)
  const known = await desk.call<{ _id: string; name: string }[]>("GET", "/brokers")
  const added = known.find((one) => one.name === name)
  const fields = {
    apiKey: keys.apiKeys[name],
    apiSecret: keys.apiSecrets[name] ?? "",
    apiUrl: simulator,
    isRenewSessionAllowed: false,
  }
  if (added) await desk.call("PUT", "/brokers/edit", { id: added._id, status: "ACTIVE", ...fields })
  else await desk.call("POST", "/brokers/add", { name, ...fields })
}

/** Fills a broker's record with the simulator's keys. */
export async function addBroker(page: Page, label: string, name: string) {
  const keys = await keysOf(page)
  await page.goto("/home/broker-details")
  await page
    .getByRole("region", { name: label })
    .getByRole("button", { name: "Add Broker" })
    .click()
  await page.getByLabel("API Key").fill(keys.apiKeys[name] ?? "")
  if (keys.apiSecrets[name]) await page.getByLabel("API Secret").fill(keys.apiSecrets[name])
  await page.getByLabel("API URL").fill(simulator)
  await page.getByRole("button", { name: "Save" }).click()
  await expect(page.getByText("Broker added successfully")).toBeVisible()
}

export async function setStatus(page: Page, label: string, status: "Active" | "Inactive") {
  await page.goto("/home/broker-details")
  await page.getByRole("region", { name: label }).getByRole("button", { name: "View" }).click()
  await page.getByRole("radio", { name: status, exact: true }).check()
  await page.getByRole("button", { name: "Save" }).click()
  await expect(page.getByText("Broker updated successfully")).toBeVisible()
}

/** Logs in at the broker's page, as one of the simulator's people. */
export async function logInAtBroker(page: Page, userId: string, decision = "Continue") {
  await page.getByLabel("User ID").selectOption(userId)
  await page.getByRole("button", { name: decision }).click()
}

/** The client's page goes on to the broker, where one of the simulator's people logs in. */
export async function continueAt(
  page: Page,
  label: "Zerodha" | "Angel One",
  userId: string,
  decision?: "Continue" | "Cancel",
) {
  await page.getByRole("button", { name: `Continue to ${label}` }).click()
  await logInAtBroker(page, userId, decision)
}

/** What a client's profile says of the log-in at the broker. */
export const connectionCard = (page: Page) =>
  page.getByRole("region", { name: "Broker connection" })

/** Connect Broker: the tab that it opens, at the broker's log-in. */
export async function connectBroker(page: Page) {
  const [tab] = await Promise.all([page.context().waitForEvent("page"), brokerButton(page).click()])
  await tab.waitForURL(`${brokersSite}/**`)
  return tab
}

/** The connect links that were mailed to somebody, the newest last, once there are `count` of them. */
export const mailedLinks = (recipient: string, count = 1) =>
  mailed(recipient, /http\S+\/connect\/[\w-]{43}/, count)

/** Sends the connect link from the client list; answers its address, as the mail has it. */
export async function sendConnectLink(page: Page, name: string) {
  await page.goto(`/home/client/details?query=${encodeURIComponent(name)}`)
  await page.getByRole("button", { name: new RegExp(name) }).click()
  await page.getByRole("menuitem", { name: "Send connect link" }).click()
  await page.getByRole("button", { name: "Send link" }).click()
  await expect(page.getByText("Connect link sent")).toBeVisible()
  const [address = ""] = await mailedLinks(`${name.toLowerCase().replace(" ", ".")}@lists.example`)
  return address
}

/** Opens a client of the list by its name. */
export const openClient = (page: Page, name: string) =>
  page
    .getByRole("row", { name: new RegExp(name) })
    .getByText(name)
    .click()

/** Somebody outside the firm: a browser without a session. What it logs as an error ends the test. */
export async function openOutside(context: BrowserContext, options: BrowserContextOptions = {}) {
  const outside = await context.browser()!.newContext({
    ...options,
    ...(options.userAgent ? { viewport: { width: 390, height: 844 } } : {}),
    locale: "en-IN",
    timezoneId: "Asia/Kolkata",
  })
  return outside.newPage()
}
