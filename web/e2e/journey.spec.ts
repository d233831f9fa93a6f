import { readFileSync } from "node:fs"
import { expect, type Page } from "@playwright/test"
import { expectNoFaults } from "./faults"
import { mailsTo } from "./mails"
import { test } from "./test"

/**
 * From an empty machine to a sent advice: what a research analyst does on the first day, on a fresh data directory.
 * Each screen passed is checked by axe in light and dark, and nothing may be refused by the CSP on the way.
 */
test.describe.configure({ mode: "serial" })

const analyst = { name: "Ananya Kulkarni", email: "ananya@desk.example", password: "seven-oaks-7" }

const kite = [
  'Instrument,"Qty.","Avg. cost",LTP,Invested,"Cur. val","P&L","Net chg.","Day chg."',
  "INFY,40,1450.25,1129.80,58010.00,45192.00,-12818.00,-22.10,0.35",
  "HDFCBANK,60,702.10,725.85,42126.00,43551.00,1425.00,3.38,-0.12",
  "ITC,200,255.40,271.15,51080.00,54230.00,3150.00,6.17,0.08",
  "TITAN,5,4120.00,5049.30,20600.00,25246.50,4646.50,22.56,1.20",
  "BAJAJ-AUTO,3,8800.00,9100.00,26400.00,27300.00,900.00,3.41,0.40",
  "NOSUCHCO,10,100.00,110.00,1000.00,1100.00,100.00,10.00,0.00",
].join("\n")

/** What live prices call RELIANCE. */
const RELIANCE = '"738561"'

let page: Page
let isReliancePriced = false
const refused: string[] = []

test.beforeAll(async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
    acceptDownloads: true,
  })
  page = await context.newPage()
  page.on("console", (message) => {
    if (message.type() === "error" && /content security|refused/i.test(message.text()))
      refused.push(message.text())
  })
  page.on("pageerror", (error) => refused.push(error.message))
  page.on("websocket", (socket) => {
    socket.on("framereceived", ({ payload }) => {
      isReliancePriced ||= payload.toString().includes(RELIANCE)
    })
  })
})

test.afterAll(async () => {
  expect(refused).toEqual([])
  await page.context().close()
})

const target = (symbol: string) => page.getByLabel(`Target Allocation of ${symbol}`)

async function setTarget(symbol: string, value: string) {
  await target(symbol).fill(value)
  await target(symbol).press("Enter")
}

test("signs up as the first administrator", async () => {
  await page.goto("/")
  await expect(page.getByRole("heading", { name: "Log in" })).toBeVisible()
  await expectNoFaults(page, "log in")
  await page.getByRole("link", { name: "Sign up" }).click()
  await page.getByRole("button", { name: "Get Started" }).click()
  for (const message of ["Name is required", "Email is required", "Password is required"])
    await expect(page.getByText(message)).toBeVisible()
  await expectNoFaults(page, "sign up")
  await page.getByLabel("Name").fill(analyst.name)
  await page.getByLabel("Email").fill(analyst.email)
  await page.getByRole("textbox", { name: "Password" }).fill(analyst.password)
  await page.getByRole("button", { name: "Get Started" }).click()
  await expect(page.getByText("Signup successful!")).toBeVisible()
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible()
  await expect(page.getByText("No stock data available")).toBeVisible()
  await expect(page.getByText("No AUM data available").first()).toBeVisible()
  await expectNoFaults(page, "empty dashboard")
})

test("enters the firm and answers its disclosure questions", async () => {
  await page.getByRole("link", { name: "Set up mail" }).click()
  await expect(page.getByRole("button", { name: "Send a test mail" })).toBeDisabled()
  await expectNoFaults(page, "mail")
  await page.getByRole("tab", { name: "Firm details" }).click()
  await page.getByLabel("Firm name").fill("Sahyadri Research")
  await page.getByLabel("Registration number").fill("INH000012345")
  await page.getByLabel("Analyst name").fill(analyst.name)
  await page.getByRole("button", { name: "Save" }).click()
  await expect(page.getByText("Firm details saved")).toBeVisible()
  await page.getByRole("tab", { name: "Disclosures" }).click()
  await expect(
    page.getByText("Not answered yet. Advice cannot be sent until all questions are answered."),
  ).toBeVisible()
  for (const no of await page.getByRole("radio", { name: "No" }).all()) await no.check()
  await expectNoFaults(page, "disclosures")
  await page.getByRole("button", { name: "Confirm as of today" }).click()
  await expect(page.getByText(/^Confirmed on /)).toBeVisible()
  await page.getByRole("tab", { name: "Rationales" }).click()
  await expectNoFaults(page, "rationales")
})

test("adds a client", async () => {
  await page.getByRole("link", { name: "Client Details" }).click()
  await expect(page.getByText("No Data Available")).toBeVisible()
  await page.getByRole("button", { name: "Add New Client" }).first().click()
  const dialog = page.getByRole("dialog", { name: "Add New Client" })
  await dialog.getByLabel("Name").fill("Kavya Menon")
  await dialog.getByLabel("Email").fill("kavya@")
  await dialog.getByRole("button", { name: "Submit" }).click()
  await expect(dialog.getByText("Enter a valid email")).toBeVisible()
  await expectNoFaults(page, "add client")
  await dialog.getByLabel("Email").fill("kavya@home.example")
  await dialog.getByRole("button", { name: "Submit" }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole("cell", { name: "C0001" })).toBeVisible()
  await expectNoFaults(page, "client list")
  await page.getByRole("cell", { name: "Kavya Menon", exact: true }).click()
  await expect(page).toHaveURL(/\/home\/client\/profile/)
  await expect(page.getByText("kavya@home.example").first()).toBeVisible()
  await expectNoFaults(page, "profile")
})

test("imports the client's holdings from a Kite file, after a look at what it would change", async () => {
  await page.getByRole("link", { name: "Portfolio", exact: true }).click()
  await page.getByRole("button", { name: "Import holdings" }).first().click()
  const dialog = page.getByRole("dialog", { name: "Import holdings" })
  await dialog.locator("input[type=file]").setInputFiles({
    name: "not-holdings.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("a,b\n1,2"),
  })
  await expect(dialog.getByText(/cannot be imported/i)).toBeVisible()
  await dialog
    .locator("input[type=file]")
    .setInputFiles({ name: "holdings.csv", mimeType: "text/csv", buffer: Buffer.from(kite) })
  await expect(dialog.getByText(/NOSUCHCO/).first()).toBeVisible()
  await expect(dialog.getByText("INFY").first()).toBeVisible()
  await expectNoFaults(page, "import")
  await dialog.getByLabel("Leave out the refused rows").check()
  await dialog.getByRole("button", { name: "Apply" }).click()
  const done = dialog.getByRole("button", { name: "Done" })
  await expect(done).toBeVisible()
  await expect(dialog.getByText(/5 added/).first()).toBeVisible()
  await done.click()
  await expect(page.getByRole("cell", { name: /BAJAJ-AUTO/ })).toBeVisible()
  await expectNoFaults(page, "portfolio")
})

test("sets targets, sees a refused one, and rebalances to whole shares", async () => {
  await page.getByRole("link", { name: "Advice", exact: true }).click()
  await page.getByLabel("Client code").fill("c9999")
  await expect(page.getByText("No holdings found for C9999.")).toBeVisible()
  await page.getByLabel("Client code").fill("C0001")
  await expect(page.getByLabel("Client name")).toHaveValue("Kavya Menon")
  await expect(page.getByLabel("Investment Value")).not.toHaveValue("")
  await page.getByLabel("Investment Value").fill("250000")
  await page.getByLabel("Investment Value").press("Tab")
  await setTarget("INFY", "60")
  await setTarget("HDFCBANK", "41")
  await expect(page.getByText("Total target allocation cannot exceed 100%")).toBeVisible()
  await setTarget("INFY", "20")
  await setTarget("HDFCBANK", "20")
  await setTarget("ITC", "25")
  await setTarget("TITAN", "0")
  await page.getByLabel("Search stock to add").fill("reliance")
  await page
    .getByRole("option", { name: /RELIANCE/ })
    .first()
    .click()
  await expect(page.getByText("Stock added successfully")).toBeVisible()
  // Until its first price comes, the stock has a close of long ago, at which nothing may be sent.
  await expect.poll(() => isReliancePriced).toBe(true)
  await setTarget("RELIANCE", "20")
  await expect(page.getByText("85.00%", { exact: false }).first()).toBeVisible()
  await expectNoFaults(page, "advice form")
  await page.getByRole("button", { name: "Rebalance Portfolio" }).click()
  await expect(page).toHaveURL(/advice-rebalance/)
  await expect(page.getByText(/Sell all 5: exit/).first()).toBeVisible()
  await expectNoFaults(page, "rebalance")
})

test("previews the advice, and Back keeps every target", async () => {
  await page.getByRole("button", { name: "Back" }).click()
  await expect(page).toHaveURL(/\/home\/advice$/)
  await expect(target("ITC")).toHaveValue(/25\.00/)
  await page.getByRole("button", { name: "Preview" }).click()
  await expect(page).toHaveURL(/advice-preview/)
  await expect(page.getByText("Kavya Menon").first()).toBeVisible()
  for (const label of ["Total Stock", "Total Buy", "Total Sell", "Total Investment Value"])
    await expect(page.getByText(label, { exact: true }).first()).toBeVisible()
  await expectNoFaults(page, "preview")
})

test("sends once on a double click, and reads it in the client's history and in the mail", async () => {
  await page.getByRole("button", { name: /^Send/ }).first().click()
  const dialog = page.getByRole("dialog", { name: "Send advice" })
  await dialog.getByLabel("Rationale").fill("Back to the model after the quarter's results.")
  const checks = dialog.getByRole("region", { name: "Before you send" })
  await expect(checks.getByText("Practice: simulated prices, not investment advice.")).toBeVisible()
  await expect(dialog.getByRole("button", { name: /^Send/ })).toBeDisabled()
  await checks.getByLabel("I have read these").check()
  await expectNoFaults(page, "send")
  await dialog.getByRole("button", { name: /^Send/ }).dblclick()
  await expect(page.getByText("Advice created successfully")).toBeVisible()
  await expect(page).toHaveURL(/\/home\/advice$/)
  await expect(page.getByLabel("Client code")).toHaveValue("")

  await page.getByRole("link", { name: "Client Details" }).click()
  await page.getByRole("cell", { name: "Kavya Menon", exact: true }).click()
  await page.getByRole("link", { name: "Advice History" }).click()
  await page.getByRole("button", { name: /^Show details of the advice/ }).click()
  await expect(page.getByRole("columnheader", { name: "Exchnage" })).toBeVisible()
  await expect(page.getByRole("cell", { name: "TITAN", exact: true })).toHaveCount(1)
  await expect(page.getByText("WRITTEN").first()).toBeVisible({ timeout: 100_000 })
  await expectNoFaults(page, "advice history")
  const download = page.waitForEvent("download")
  await page
    .getByRole("button", { name: /Download the letter/ })
    .first()
    .click()
  expect(
    readFileSync(await (await download).path())
      .subarray(0, 4)
      .toString(),
  ).toBe("%PDF")

  expect(mailsTo("kavya@home.example")).toHaveLength(1)
})

test("logs out for good", async () => {
  await page.getByRole("button", { name: "Logout" }).click()
  await expect(page.getByRole("heading", { name: "Log in" })).toBeVisible()
  await page.goto("/home/dashboard")
  await expect(page).toHaveURL(/\/auth\/login/)
})
