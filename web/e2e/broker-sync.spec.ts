import { expect, type Page } from "@playwright/test"
import {
  brokerButton,
  connectBroker,
  connectionCard,
  logInAtBroker,
  openClient,
  openOutside,
  readyBroker,
  sendConnectLink,
} from "./at-brokers"
import { Desk } from "./desk"
import { expectNoFaults } from "./faults"
import { takeNetwork } from "./network"
import { test } from "./test"

/** From a client's log-in at Angel One to the client's books; and the firm's session, from its log-in to its end. */
test.describe.configure({ mode: "serial" })

const synced = (page: Page) => page.getByRole("group", { name: "Last Synced" })

interface Statement {
  outcome: string
  lines: { symbol: string; isMapped: boolean; free: number; t1: number; pledged: number }[]
}

test(
  "a client connects at Angel One; staff confirm the ID, and one press brings the holdings",
  { tag: "@long" },
  async ({ cleanPage: page, context }) => {
    const desk = await Desk.signIn(page)
    await readyBroker(page, desk, "ANGEL_ONE")
    const [added] = await desk.addClients("Anjali Angelwala")
    const path = `/admin/clients/client/${added?.id ?? ""}`
    await page.goto("/home/client/details?query=Angelwala")
    await expect(page.getByRole("row", { name: /Anjali Angelwala/ })).toContainText("Logout")
    const address = await sendConnectLink(page, "Anjali Angelwala")

    const client = await openOutside(context)
    await client.goto(address)
    await client.getByRole("button", { name: "Continue to Angel One" }).click()
    await expect(client).toHaveURL(/\/publisher-login\?/)
    // The broker's page gets our key and a mark of its own, and nothing of the client.
    expect([...new URL(client.url()).searchParams.keys()].sort()).toEqual(["api_key", "state"])
    await logInAtBroker(client, "A123600")
    await expect(client.getByRole("heading", { name: "Almost done" })).toBeVisible()
    await expect(client.getByText("A123600")).toBeVisible()
    // What the broker handed over is in no address any more.
    expect(client.url()).toMatch(/\/redirect$/)
    await expectNoFaults(client, "almost done, after Angel One")
    await client.context().close()

    await openClient(page, "Anjali Angelwala")
    const question = "Is A123600 the ID of Anjali Angelwala at Angel One?"
    await expect(connectionCard(page).getByText(question)).toBeVisible()
    await expect(synced(page)).toContainText("Never synced")
    await expect(synced(page).getByRole("button", { name: "Sync now" })).toHaveCount(0)
    // Before somebody says whose it is, nothing is read.
    expect(await desk.call<unknown[]>("GET", `${path}/holdings`)).toEqual([])
    await connectionCard(page).getByRole("button", { name: "Confirm" }).click()
    await expect(page.getByText("Broker ID confirmed")).toBeVisible()
    await expect(connectionCard(page).getByText("Login", { exact: true })).toBeVisible()
    const brokerId = page.getByRole("group", { name: "Broker ID" })
    await expect(brokerId).toContainText("A123600")

    await synced(page).getByRole("button", { name: "Sync now" }).click()
    await expect(page.getByText("Synced from the broker")).toBeVisible()
    await expect(brokerId).toContainText("Angel One")
    await expect(synced(page)).toContainText("Live")
    await expectNoFaults(page, "profile of a connected client")
    await page.goto("/home/client/details?query=Angelwala")
    await expect(page.getByRole("row", { name: /Anjali Angelwala/ })).toContainText("Login")

    const statement = await desk.call<Statement>("GET", `${path}/broker-statement`)
    const holdings = await desk.call<{ tradingSymbol: string; quantity: number }[]>(
      "GET",
      `${path}/holdings`,
    )
    const told = statement.lines.filter((line) => line.isMapped)
    expect(statement.outcome).toBe("DONE")
    expect(told.length).toBeGreaterThan(0)
    expect(new Set(holdings.map((one) => one.tradingSymbol))).toEqual(
      new Set(told.map((line) => line.symbol)),
    )
    expect(holdings.reduce((sum, one) => sum + one.quantity, 0)).toBe(
      told.reduce((sum, line) => sum + line.free + line.t1 + line.pledged, 0),
    )
    await page.goto("/home/client/portfolio")
    const table = page.getByRole("region", { name: "Your Holdings, table" })
    for (const { tradingSymbol } of holdings)
      await expect(table.getByRole("cell", { name: tradingSymbol }).first()).toBeAttached()
  },
)

test(
  "why a client cannot be synced is said, and the client is logged out everywhere",
  { tag: "@long" },
  async ({ page }) => {
    const desk = await Desk.open(page)
    const [found] = await desk.call<{ _id: string; clientId: string }[]>(
      "GET",
      "/admin/clients?query=Angelwala",
    )
    await desk.seat(page, { id: found?._id ?? "", code: found?.clientId ?? "" })
    await page.goto("/home/client/profile")
    const sync = synced(page).getByRole("button", { name: "Sync now" })
    await expect(sync).toBeVisible()
    // Somebody else ended it, and this screen has not asked since.
    const network = await takeNetwork(page, /\/(profile|connection)$/)
    network.fate = "wait"
    await desk.call("POST", `/admin/clients/client/${found?._id ?? ""}/connection/end`)
    network.fate = "pass"
    await sync.click()
    await expect(page.getByText(/is not logged in at the broker/)).toBeVisible()
    await expect(connectionCard(page).getByText("Logout")).toBeVisible()
    await expect(sync).toHaveCount(0)
  },
)

test(
  "an ADMIN logs the firm out at its broker, after a question",
  { tag: "@long" },
  async ({ page }) => {
    const desk = await Desk.signIn(page)
    await readyBroker(page, desk, "ANGEL_ONE")
    await page.goto("/home/advice")
    const tab = await connectBroker(page)
    await logInAtBroker(tab, "A123456")
    await tab.getByRole("link", { name: "Click here if not redirected" }).click()
    await expect(tab.getByText("Broker connected successfully")).toBeVisible()
    await tab.close()

    await page.goto("/home/broker-details")
    await page.getByRole("button", { name: "Log out", exact: true }).click()
    const dialog = page.getByRole("dialog", { name: /^Log out at / })
    await expect(dialog).toBeVisible()
    await expectNoFaults(page, "log out at the broker?")
    await dialog.getByRole("button", { name: "Log out" }).click()
    await expect(page.getByText("Logged out at the broker")).toBeVisible()
    await expect(page.getByText(/Connected until/)).toHaveCount(0)
    await page.goto("/home/advice")
    await expect(brokerButton(page)).toHaveText("Connect Broker")
  },
)
