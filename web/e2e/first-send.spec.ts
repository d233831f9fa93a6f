import { expect, type Page } from "@playwright/test"
import { Desk } from "./desk"
import { mailsTo } from "./mails"
import { test } from "./test"

/**
 * The first advice of a firm without a broker, on an empty installation: prices from the exchange's daily file, cash
 * entered by hand. Everything that is missing blocks the send with its own sentence; each is mended by its own link.
 */
test.describe.configure({ mode: "serial" })

const UDIFF =
  "TradDt,BizDt,Sgmt,Src,FinInstrmTp,FinInstrmId,ISIN,TckrSymb,SctySrs,XpryDt,FininstrmActlXpryDt,StrkPric,OptnTp," +
  "FinInstrmNm,OpnPric,HghPric,LwPric,ClsPric,LastPric,PrvsClsgPric,UndrlygPric,SttlmPric,OpnIntrst," +
  "ChngInOpnIntrst,TtlTradgVol,TtlTrfVal,TtlNbOfTxsExctd,SsnId,NewBrdLotQty,Rmks,Rsvd1,Rsvd2,Rsvd3,Rsvd4"

const shares = [
  { symbol: "INFY", isin: "INE009A01021", close: "1612.40" },
  { symbol: "ITC", isin: "INE154A01025", close: "402.15" },
]

/** NSE's file of closing prices of a day. */
const closesOf = (day: string) =>
  [
    UDIFF,
    ...shares.map(
      ({ symbol, isin, close }) =>
        `${day},${day},CM,NSE,STK,1594,${isin},${symbol},EQ,,,,,A COMPANY,100.00,100.00,100.00,${close},${close},` +
        `99.00,,${close},,,1000,100000.00,50,F1,1,,,,,`,
    ),
    "",
  ].join("\n")

let page: Page

test.beforeAll(async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: "reduce",
  })
  page = await context.newPage()
})

test.afterAll(() => page.context().close())

/** The newest day on which the market has closed, by the calendar of the installation. */
async function dayOfLastClose() {
  const token = await page.evaluate(() => sessionStorage.getItem("token") ?? "")
  const desk = Desk.of(page, token)
  const years = [0, 1].map((back) => new Date().getUTCFullYear() - back)
  const closed = new Set<string>()
  for (const year of years)
    for (const { date } of await desk.call<{ date: string }[]>(
      "GET",
      `/settings/holidays?year=${year}`,
    ))
      closed.add(date)
  const india = new Date(Date.now() + 5.5 * 3_600_000)
  const isBeforeClose = india.getUTCHours() * 60 + india.getUTCMinutes() < 15 * 60 + 30
  if (isBeforeClose) india.setUTCDate(india.getUTCDate() - 1)
  const dayOf = () => india.toISOString().slice(0, 10)
  while ([0, 6].includes(india.getUTCDay()) || closed.has(dayOf()))
    india.setUTCDate(india.getUTCDate() - 1)
  return dayOf()
}

const dialog = () => page.getByRole("dialog", { name: "Send advice" })
const checks = () => dialog().getByRole("region", { name: "Before you send" })
const send = () => dialog().getByRole("button", { name: /^Send \d/ })

/** From the advice form, with its targets as they were, to the Send dialog. */
async function openSend() {
  await page.getByRole("button", { name: "Rebalance Portfolio" }).click()
  await expect(page).toHaveURL(/advice-rebalance/)
  await page.getByRole("button", { name: /^Send/ }).first().click()
  await expect(checks()).toBeVisible()
}

/** Follows the link of the check that says this. */
const mend = (sentence: string | RegExp) =>
  checks().getByRole("listitem").filter({ hasText: sentence }).getByRole("link").click()

test("a client with cash alone gets a first basket", async () => {
  await page.goto("/auth/signup")
  await page.getByLabel("Name").fill("Ananya Kulkarni")
  await page.getByLabel("Email").fill("ananya@desk.example")
  await page.getByRole("textbox", { name: "Password" }).fill("seven-oaks-7")
  await page.getByRole("button", { name: "Get Started" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible()

  await page.getByRole("link", { name: "Client Details" }).click()
  await page.getByRole("button", { name: "Add New Client" }).first().click()
  const adding = page.getByRole("dialog", { name: "Add New Client" })
  await adding.getByLabel("Name").fill("Kavya Menon")
  await adding.getByLabel("Email").fill("kavya@home.example")
  await adding.getByRole("button", { name: "Submit" }).click()
  await page.getByRole("cell", { name: "Kavya Menon", exact: true }).click()
  await page.getByRole("link", { name: "Portfolio", exact: true }).click()
  await expect(page.getByText("No holdings or funds yet").first()).toBeVisible()
  await page.getByRole("button", { name: "Enter cash" }).click()
  const cash = page.getByRole("dialog", { name: "Enter cash" })
  await cash.getByLabel("Cash").fill("500000")
  await cash.getByRole("button", { name: "Save" }).click()
  await expect(page.getByText(/^Cash by hand/)).toContainText("Ananya Kulkarni")

  await page.getByRole("link", { name: "Advice", exact: true }).click()
  await page.getByLabel("Client code").fill("C0001")
  await expect(page.getByLabel("Investment Value")).toHaveValue(/5,00,000/)
  for (const { symbol } of shares) {
    await page.getByLabel("Search stock to add").fill(symbol)
    await page
      .getByRole("option", { name: new RegExp(`^${symbol}\\b`) })
      .first()
      .click()
    await page.getByLabel(`Target Allocation of ${symbol}`).fill("45")
    await page.getByLabel(`Target Allocation of ${symbol}`).press("Enter")
  }
})

test("what is missing blocks the send, each with its sentence", async () => {
  await openSend()

  for (const sentence of [
    "The firm's name and registration number must be entered before advice is sent.",
    /^Blocks the send: INFY, ITC: the price is too old; the oldest is of /,
    "The firm's disclosure questions were never answered.",
    "A rationale is required to send advice.",
  ])
    await expect(checks().getByRole("listitem").filter({ hasText: sentence })).toBeVisible()
  await expect(checks()).toContainText("No mail server is set up")
  await checks().getByLabel("I have read these").check()
  await expect(send()).toBeDisabled()
})

test("the firm's details are entered by the link of their check", async () => {
  await mend("must be entered before advice is sent")
  await page.getByLabel("Firm name").fill("Sahyadri Research")
  await page.getByLabel("Registration number").fill("INH000012345")
  await page.getByLabel("Analyst name").fill("Ananya Kulkarni")
  await page.getByRole("button", { name: "Save" }).click()
  await expect(page.getByText("Firm details saved")).toBeVisible()
  await page.getByRole("tab", { name: "Disclosures" }).click()
  await expect(
    page.getByText("Not answered yet. Advice cannot be sent until all questions are answered."),
  ).toBeVisible()
  for (const no of await page.getByRole("radio", { name: "No" }).all()) await no.check()
  await page.getByRole("button", { name: "Confirm as of today" }).click()
  await expect(page.getByText(/^Confirmed on /)).toBeVisible()
})

test("a file of the exchange brings the closing prices", async () => {
  await page.getByRole("tab", { name: "Prices" }).click()
  await page.getByRole("button", { name: "Import closing prices" }).first().click()
  const importing = page.getByRole("dialog", { name: "Import closing prices" })
  const file = { name: "BhavCopy_NSE_CM.csv", mimeType: "text/csv" }
  const whole = closesOf(await dayOfLastClose())
  await importing
    .locator("input[type=file]")
    .setInputFiles({ ...file, buffer: Buffer.from(whole.slice(0, -60)) })
  await expect(importing.getByText(/cut|incomplete|ends/i)).toBeVisible()
  await importing.locator("input[type=file]").setInputFiles({ ...file, buffer: Buffer.from(whole) })
  await importing.getByRole("button", { name: "Apply" }).click()
  await expect(importing.getByText(/^Imported\. 2 prices of NSE/)).toBeVisible()
  await importing.getByRole("button", { name: "Done" }).click()
})

test("the advice is rebalanced at these prices, and sent once all is in order", async () => {
  await page.getByRole("link", { name: "Advice", exact: true }).click()
  await expect(page.getByLabel("Target Allocation of INFY")).toHaveValue(/45/)
  await openSend()
  await expect(checks().getByRole("listitem").filter({ hasText: "Blocks the send" })).toHaveCount(1)
  await dialog().getByLabel("Rationale").fill("A first basket of two large companies.")
  await expect(checks()).toContainText("INFY, ITC: the price comes from a file.")
  await expect(send()).toBeDisabled()
  await checks().getByLabel("I have read these").check()
  await send().click()
  await expect(page.getByText("Advice created successfully")).toBeVisible()

  await expect.poll(() => mailsTo("kavya@home.example").length).toBe(1)
  const [mail = ""] = mailsTo("kavya@home.example")
  expect(mail).toContain("INH000012345")
  expect(mail).not.toContain("Not set")
  expect(mail).not.toContain("Practice")
})
