import { type BrowserContext, expect, type Page } from "@playwright/test"
import {
  connectBroker,
  connectionCard,
  continueAt,
  logInAtBroker,
  openClient,
  openOutside,
  readyBroker,
  sendConnectLink,
} from "./at-brokers"
import { formTo, openAdvice } from "./client-page"
import { Desk } from "./desk"
import { expectNoFaults, expectNoSidewaysScroll } from "./faults"
import { mailed, mailsTo } from "./mails"
import { brokersSite } from "./servers"
import { test } from "./test"

/**
 * The whole circle, while the market is open: a client connects, advice is sent and mailed, the client opens it on a phone in
 * Hindi, takes its baskets to the broker, and the analyst's board shows it without a reload.
 */
test.describe.configure({ mode: "serial" })

const analyst = { name: "Ananya Kulkarni", email: "ananya@desk.example", password: "seven-oaks-7" }
/** At the simulated Zerodha: who holds HAL and CIPLA, and has cash. */
const client = { name: "Dev Khan", email: "dev.khan@lists.example", brokerId: "AB1491" }

let page: Page
let desk: Desk
let context: BrowserContext

test.beforeAll(async ({ browser }) => {
  context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
  })
  page = await context.newPage()
})

test.afterAll(() => context.close())

/** Enters the firm's details and answers its disclosure questions. */
async function enterFirm() {
  await page.goto("/home/settings")
  await page.getByRole("tab", { name: "Firm details" }).click()
  await page.getByLabel("Firm name").fill("Sahyadri Research")
  await page.getByLabel("Registration number").fill("INH000012345")
  await page.getByLabel("Analyst name").fill(analyst.name)
  await page.getByRole("button", { name: "Save" }).click()
  await expect(page.getByText("Firm details saved")).toBeVisible()
  await page.getByRole("tab", { name: "Disclosures" }).click()
  await expect(page.getByText(/^Not answered yet/)).toBeVisible()
  for (const no of await page.getByRole("radio", { name: "No" }).all()) await no.check()
  await page.getByRole("button", { name: "Confirm as of today" }).click()
  await expect(page.getByText(/^Confirmed on /)).toBeVisible()
}

async function setTarget(symbol: string, value: string) {
  const target = page.getByLabel(`Target Allocation of ${symbol}`)
  await target.fill(value)
  await target.press("Enter")
}

test("a firm is set up, and its client connects at Zerodha", { tag: "@long" }, async () => {
  await page.goto("/auth/signup")
  await page.getByLabel("Name").fill(analyst.name)
  await page.getByLabel("Email").fill(analyst.email)
  await page.getByRole("textbox", { name: "Password" }).fill(analyst.password)
  await page.getByRole("button", { name: "Get Started" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible()
  desk = Desk.of(page, await page.evaluate(() => sessionStorage.getItem("token") ?? ""))
  await enterFirm()
  await readyBroker(page, desk, "ZERODHA")
  await page.goto("/home/advice")
  const tab = await connectBroker(page)
  await logInAtBroker(tab, "AB1234")
  await expect(tab.getByText("Broker connected successfully")).toBeVisible()
  await tab.close()

  const { name, email } = client
  await desk.call("POST", "/clients/add", { clients: [{ name, email, language: "HI" }] })
  const outside = await openOutside(context)
  await outside.goto(await sendConnectLink(page, name))
  await continueAt(outside, "Zerodha", client.brokerId)
  await expect(outside.getByText(client.brokerId)).toBeVisible()
  await outside.context().close()
  await page.goto("/home/client/details")
  await openClient(page, name)
  await connectionCard(page).getByRole("button", { name: "Confirm" }).click()
  await page
    .getByRole("group", { name: "Last Synced" })
    .getByRole("button", { name: "Sync now" })
    .click()
  await expect(page.getByText("Synced from the broker")).toBeVisible()
})

test("advice is checked, sent and mailed with a link", { tag: "@long" }, async () => {
  await page.goto("/home/advice")
  await page.getByLabel("Client code").fill("C0001")
  await expect(page.getByLabel("Client name")).toHaveValue(client.name)
  await setTarget("HAL", "20")
  await setTarget("CIPLA", "8")
  await page.getByRole("button", { name: "Rebalance Portfolio" }).click()
  await expect(page).toHaveURL(/advice-rebalance/)
  await page.getByRole("button", { name: /^Send/ }).first().click()
  const dialog = page.getByRole("dialog", { name: "Send advice" })
  await dialog.getByLabel("Rationale").fill("Profits in defence are taken; pharma is added.")
  const read = dialog.getByLabel("I have read these")
  const send = dialog.getByRole("button", { name: /^Send \d/ })
  await expect(send).toBeVisible()
  // The firm has recorded no certificate, which is a warning.
  await read.check()
  await send.click()
  await expect(page.getByText("Advice created successfully")).toBeVisible()

  const [link] = await mailed(client.email, /http\S+\/a\/[\w-]{43}/)
  expect(link).toBeDefined()
})

/** Takes a basket to the broker, places its orders there, and comes back. */
async function placeBasket(there: Page, step: number) {
  const [tab] = await Promise.all([
    there.context().waitForEvent("page"),
    formTo(there, "basket").nth(step).getByRole("button").click(),
  ])
  await expectNoFaults(tab, `basket ${step + 1}`)
  await tab.locator("form button.primary").click()
  await expect(tab).toHaveURL(`${brokersSite}/connect/basket`)
  const orders = await tab.getByRole("listitem").allInnerTexts()
  await tab.getByLabel("User ID").selectOption(client.brokerId)
  await tab.getByRole("button", { name: "Place orders" }).click()
  await expect(tab).toHaveURL(/\/redirect\?/)
  // Read at once: only then is it a good end.
  await expect(tab.locator("p.notice")).toBeVisible()
  await expectNoFaults(tab, "back from the broker")
  await tab.close()
  return orders
}

test(
  "the client answers on a phone, places both baskets, and the board turns to Acted",
  { tag: "@long" },
  async () => {
    await page.goto("/home/follow-up")
    const row = page
      .getByRole("region", { name: "Advice sent, table" })
      .getByRole("row")
      .filter({ hasText: client.name })
    await expect(row).toContainText(/Waiting|Unknown/)
    const [link = ""] = await mailed(client.email, /http\S+\/a\/[\w-]{43}/)
    const phone = await context.browser()!.newContext({
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
      locale: "hi-IN",
      timezoneId: "Asia/Kolkata",
    })
    const there = await phone.newPage()
    await there.goto(link)
    await expect(there.locator("html")).toHaveAttribute("lang", "hi")
    // Before the code nothing of the advice is shown.
    expect(await there.content()).not.toContain("HAL")
    await openAdvice(there, link, client.email)
    await expect(there.locator("ul.orders")).toHaveCount(2)
    await expectNoSidewaysScroll(there, "the client's page")
    await expectNoFaults(there, "the client's page")
    await there.locator("button[value=READ]").click()
    await expect(there.locator("button[value=READ]")).toHaveCount(0)
    await expect(formTo(there, "basket")).toHaveCount(2)

    const sold = await placeBasket(there, 0)
    expect(sold.map((text) => text.replace(/\d+/, "n"))).toEqual(["SELL n HAL"])
    await expect(row).toContainText("In part")
    const bought = await placeBasket(there, 1)
    expect(bought.map((text) => text.replace(/\d+/, "n"))).toEqual(["BUY n CIPLA"])
    // The page was never loaded again.
    await expect(row).toContainText("Acted")
    await expect(row).toContainText("100.00%")
    await phone.close()

    await row.click()
    const drawer = page.getByRole("dialog", { name: /^Follow-up of/ })
    await expect(drawer.getByText(/Read/).first()).toBeVisible()
    await expectNoFaults(page, "the circle, closed")
    expect(mailsTo(client.email).length).toBeGreaterThanOrEqual(3)
  },
)
