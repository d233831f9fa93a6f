import { expect, type Locator, type Page } from "@playwright/test"
import { Desk } from "./desk"
import { pressKeys, tabTo } from "./keys"
import { LETTER, mailsTo } from "./mails"
import { test } from "./test"

/**
 * The first advice of a firm without a broker, on an empty installation: prices from the exchange's daily file, cash
 * entered by hand. Everything that is missing blocks the send with its own sentence; each is mended by its own link.
 * The pointer is never used.
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

/** The most stops of Tab between two places on one screen. */
const FAR = 150

const key = (...names: string[]) => pressKeys(page, ...names)

async function press(there: Locator, by = "Enter") {
  await expect(there).toBeVisible()
  await tabTo(page, there, FAR)
  await key(by)
}

async function type(there: Locator, text: string) {
  await expect(there).toBeVisible()
  await tabTo(page, there, FAR)
  await key("ControlOrMeta+a")
  await page.keyboard.type(text)
}

/** Opens a screen by its two keys, from wherever the focus is. */
async function goTo(letter: string, title: string) {
  await expect(page.getByRole("dialog")).toHaveCount(0)
  await key("Escape", "g", letter)
  await expect(page.getByRole("heading", { level: 1, name: title, exact: true })).toBeVisible()
}

/** Opens a section of the settings: Tab reaches the open one, the arrows the others. */
async function openSection(name: string) {
  const tabs = page.getByRole("tab")
  await tabTo(page, page.getByRole("tab", { selected: true }), FAR)
  const there = page.getByRole("tab", { name, exact: true })
  for (let steps = await tabs.count(); steps > 0; steps -= 1) {
    if (await there.evaluate((tab) => tab === document.activeElement)) break
    await key("ArrowRight")
  }
  await expect(there).toBeFocused()
  await key("Enter")
}

const named = (name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" }).first()

const dialog = () => page.getByRole("dialog", { name: "Send advice" })
const checks = () => dialog().getByRole("region", { name: "Before you send" })
const send = () => dialog().getByRole("button", { name: /^Send \d/ })

/** From the advice form, with its targets as they were, to the Send dialog. */
async function openSend() {
  await press(named("Rebalance Portfolio"))
  await expect(page).toHaveURL(/advice-rebalance/)
  await press(named(/^Send/))
  await expect(checks()).toBeVisible()
}

/** Follows the link of the check that says this. */
const mend = (sentence: string | RegExp) =>
  press(checks().getByRole("listitem").filter({ hasText: sentence }).getByRole("link"))

test("a client with cash alone gets a first basket", async () => {
  await page.goto("/auth/signup")
  await expect(page.getByLabel("Name")).toBeFocused()
  await page.keyboard.type("Ananya Kulkarni")
  await type(page.getByLabel("Email"), "ananya@desk.example")
  await type(page.getByRole("textbox", { name: "Password" }), "seven-oaks-7")
  await press(named("Get Started"))
  await expect(page.getByRole("heading", { level: 1, name: "Dashboard" })).toBeVisible()

  await press(named("Add a client"))
  await expect(named("Add New Client")).toBeVisible()
  await key("n")
  const adding = page.getByRole("dialog", { name: "Add New Client" })
  await type(adding.getByLabel("Name"), "Kavya Menon")
  await type(adding.getByLabel("Email"), "kavya@home.example")
  await press(adding.getByRole("button", { name: "Submit" }))
  await press(page.getByRole("row").filter({ hasText: "Kavya Menon" }))
  await press(page.getByRole("link", { name: "Portfolio", exact: true }))
  await expect(page.getByText("No holdings or funds yet").first()).toBeVisible()
  await press(named("Enter cash"))
  const cash = page.getByRole("dialog", { name: "Enter cash" })
  await type(cash.getByLabel("Cash"), "500000")
  await press(cash.getByRole("button", { name: "Save" }))
  await expect(page.getByText(/^Cash by hand/)).toContainText("Ananya Kulkarni")

  await goTo("a", "Advice")
  await expect(page.getByLabel("Client code")).toBeFocused()
  await page.keyboard.type("C0001")
  await expect(page.getByLabel("Investment Value")).toHaveValue(/5,00,000/)
  for (const { symbol } of shares) {
    await type(page.getByLabel("Search stock to add"), symbol)
    await expect(
      page.getByRole("option", { name: new RegExp(`^${symbol}\\b`) }).first(),
    ).toBeVisible()
    await key("Enter")
    await type(page.getByLabel(`Target Allocation of ${symbol}`), "45")
    await key("Enter")
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
  await press(checks().getByLabel("I have read these"), "Space")
  await expect(send()).toBeDisabled()
})

test("the firm's details are entered by the link of their check", async () => {
  await mend("must be entered before advice is sent")
  await type(page.getByLabel("Firm name"), "Sahyadri Research")
  await type(page.getByLabel("Registration number"), "INH000012345")
  await type(page.getByLabel("Analyst name"), "Ananya Kulkarni")
  await press(named("Save"))
  await expect(page.getByText("Firm details saved")).toBeVisible()
  await openSection("Disclosures")
  await expect(
    page.getByText("Not answered yet. Advice cannot be sent until all questions are answered."),
  ).toBeVisible()
  for (const no of await page.getByRole("radio", { name: "No" }).all()) await press(no, "Space")
  await press(named("Confirm as of today"))
  await expect(page.getByText(/^Confirmed on /)).toBeVisible()
})

test("a file of the exchange brings the closing prices", async () => {
  await openSection("Prices")
  await press(named("Import closing prices"))
  const importing = page.getByRole("dialog", { name: "Import closing prices" })
  const file = { name: "BhavCopy_NSE_CM.csv", mimeType: "text/csv" }
  const whole = closesOf(await dayOfLastClose())
  const choose = async (content: string) => {
    const choosing = page.waitForEvent("filechooser")
    await press(importing.locator("input[type=file]"), "Space")
    await (await choosing).setFiles({ ...file, buffer: Buffer.from(content) })
  }
  await choose(whole.slice(0, -60))
  await expect(importing.getByText(/cut|incomplete|ends/i)).toBeVisible()
  await choose(whole)
  await press(importing.getByRole("button", { name: "Apply" }))
  await expect(importing.getByText(/^Imported\. 2 prices of NSE/)).toBeVisible()
  await press(importing.getByRole("button", { name: "Done" }))
})

test("the advice is rebalanced at these prices, and sent once all is in order", async () => {
  await goTo("a", "Advice")
  await expect(page.getByLabel("Target Allocation of INFY")).toHaveValue(/45/)
  await openSend()
  await expect(checks().getByRole("listitem").filter({ hasText: "Blocks the send" })).toHaveCount(1)
  await type(dialog().getByLabel("Rationale"), "A first basket of two large companies.")
  await expect(checks()).toContainText("INFY, ITC: the price comes from a file.")
  await expect(send()).toBeDisabled()
  await press(checks().getByLabel("I have read these"), "Space")
  await press(send())
  await expect(page.getByText("Advice created successfully")).toBeVisible()

  await expect.poll(() => mailsTo("kavya@home.example").length, LETTER).toBe(1)
  const [mail = ""] = mailsTo("kavya@home.example")
  expect(mail).toContain("INH000012345")
  expect(mail).not.toContain("Not set")
  expect(mail).not.toContain("Practice")
})
