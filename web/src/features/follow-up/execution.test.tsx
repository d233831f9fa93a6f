import { screen, waitFor, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { boardAnswered, executedLine, execution, followUpRow } from "@/testing/follow-up"
import { answer, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { cellsOf, headings } from "@/testing/tables"
import type { Execution } from "@/parts/follow-up"

const path = "/admin/advice/advice-1/execution"

async function open(change: Partial<Execution> = {}, role: "ADMIN" | "USER" = "ADMIN") {
  boardAnswered([followUpRow(), followUpRow({ _id: "advice-2", name: "Ravi Iyer" })], role)
  answer("get", path, execution(change))
  const shown = await showApp("/home/follow-up", { role })
  await shown.user.click(await screen.findByRole("row", { name: /Asha Rao/ }))
  const drawer = await screen.findByRole("dialog", { name: "Follow-up of Asha Rao" })
  await within(drawer).findByText("Implementation shortfall")
  return { ...shown, drawer: within(drawer) }
}

/** The value beside a name. */
const fact = (drawer: Pick<typeof screen, "getByText">, name: string) =>
  drawer.getByText(name).closest("div")?.querySelector("dd")?.textContent

test("a row opens to the figures of the advice, with the parts of the shortfall", async () => {
  const { drawer, router } = await open()

  expect(router.state.location.search).toMatchObject({ advice: "advice-1" })
  expect(drawer.getByText("Sent 19/11/2026 10:00 IST · window ends 26/11/2026")).toBeVisible()
  expect(fact(drawer, "Followed %")).toBe("80.00%")
  expect(fact(drawer, "Implementation shortfall")).toBe("₹253.90 101.56 bp")
  expect(fact(drawer, "Due to price")).toBe("₹130.00")
  expect(fact(drawer, "Due to shares not traded")).toBe("₹100.00")
  expect(fact(drawer, "Due to charges")).toBe("₹23.90")
  expect(fact(drawer, "Time to Act")).toBe("45 min")
  expect(fact(drawer, "Time to 90%")).toBe("6 h 05 min")
  expect(fact(drawer, "Client’s page")).toBe("Opened 19/11/2026 10:30 IST")
  expect(fact(drawer, "Reminders")).toBe("20/11/2026")
})

test("the terms are explained", async () => {
  const { drawer } = await open()

  for (const term of ["Followed %", "Implementation shortfall", "Time to act"])
    expect(drawer.getAllByRole("button", { name: `What is ${term}?` })[0]).toBeVisible()
})

test("what is not known is a dash", async () => {
  const { drawer } = await open({
    state: "UNKNOWN",
    followedPercentage: null,
    shortfall: null,
    shortfallGap: "TRADES_NOT_READ",
    lines: [executedLine({ status: "UNKNOWN", shortfall: null, shortfallGap: "TRADES_NOT_READ" })],
    minutesToFirstFill: null,
    minutesToNinety: null,
    readAt: null,
    reminders: [],
  })

  expect(fact(drawer, "Implementation shortfall")).toBe("-")
  expect(fact(drawer, "Due to price")).toBe("-")
  expect(fact(drawer, "Time to Act")).toBe("-")
  expect(fact(drawer, "Client’s page")).toBe("Not opened")
  expect(fact(drawer, "Reminders")).toBe("None")
  expect(
    drawer.getByText(
      "Shortfall: the client’s trades have not been read since the advice was sent.",
    ),
  ).toBeVisible()
})

test("a shortfall without a close says of which stock, and of a sale without a price so too", async () => {
  const sold = executedLine({
    place: 1,
    isin: "INE154A01025",
    tradingSymbol: "ITC",
    shortfall: { amount: 0, bps: null },
    shortfallGap: "NO_SALE_PRICE",
  })
  const { drawer, user } = await open({
    isOver: true,
    shortfall: null,
    shortfallGap: "NO_CLOSE",
    lines: [executedLine({ shortfall: null, shortfallGap: "NO_CLOSE" }), sold],
  })

  expect(drawer.getByText(/^Shortfall: INFY: no closing price of the window’s days/)).toBeVisible()
  expect(cellsOf(drawer.getByRole("row", { name: /INFY/ }))).toContain("-no close known")
  expect(cellsOf(drawer.getByRole("row", { name: /ITC/ }))).toContain("-sale price not known")
  await user.click(drawer.getByRole("button", { name: "Show details of ITC" }))
  expect(drawer.getByText(/^Shortfall: the price of a sale is not known/)).toBeVisible()
})

test("an advice that is not in the list shows its client, and can be acted on", async () => {
  boardAnswered([followUpRow({ _id: "advice-2", name: "Ravi Iyer" })])
  answer("get", path, execution())
  await showApp("/home/follow-up?advice=advice-1", { role: "ADMIN" })

  const drawer = within(await screen.findByRole("dialog", { name: "Follow-up of Asha Rao" }))
  expect(drawer.getByRole("heading", { level: 2 })).toHaveTextContent("Asha Rao C0001")
  expect(drawer.getByRole("button", { name: "Draft follow-up" })).toBeEnabled()
  expect(drawer.getByRole("button", { name: "Next advice" })).toBeDisabled()
})

test("each line has its status with the reason, and opens to its trades and their source", async () => {
  const rejected = executedLine({
    place: 1,
    isin: "INE154A01025",
    tradingSymbol: "ITC",
    side: "SELL",
    filledQuantity: 0,
    averagePrice: null,
    status: "REJECTED",
    statusText: "Insufficient holdings.",
    shortfall: null,
    fills: [],
    beyondAdvice: 0,
  })
  const { drawer, user } = await open({
    lines: [executedLine({ beyondAdvice: 5 }), rejected],
  })

  expect(await headings(within(drawer.getByRole("region", { name: "Lines, table" })))).toBe(
    "Details | Stock | Side | Status | Advised | Traded | Advised Price | Average Price | Shortfall",
  )
  expect(cellsOf(drawer.getByRole("row", { name: /INFY/ }))).toContain(
    "INFY | BUY | In part80 of 100 traded. | 100 | 80 | 250.00 | 251.625 | ₹253.90",
  )
  expect(cellsOf(drawer.getByRole("row", { name: /ITC/ }))).toContain(
    "ITC | SELL | RejectedInsufficient holdings. | 100 | 0 | 250.00 | - | -",
  )
  await user.click(drawer.getByRole("button", { name: "Show details of INFY" }))

  const trades = within(drawer.getByRole("region", { name: "Trades of INFY, table" }))
  const [, first, second] = trades.getAllByRole("row")
  expect(cellsOf(first!)).toBe("19/11/2026 10:45 IST | 60 | 251.50 | Broker | 75000001")
  expect(cellsOf(second!)).toBe("20/11/2026 10:45 IST | 20 | 252.00 | Holdings | -")
  expect(drawer.getByText(/Import the tradebook for the exact trades/)).toBeVisible()
  expect(drawer.getByText("5 more shares traded beyond the advice.")).toBeVisible()
  await user.click(drawer.getByRole("button", { name: "Show details of ITC" }))
  expect(drawer.getByText("No trade counts for this line.")).toBeVisible()
})

const said = {
  language: "EN" as const,
  lines: [],
  reply: "",
  repliedAt: null,
  at: "2026-11-20T06:00:00Z",
}

test("the client's answers are listed: read, declined with the reason and the stocks, a question", async () => {
  const { drawer } = await open({
    responses: [
      { ...said, _id: "a", answer: "READ", text: "" },
      { ...said, _id: "b", answer: "DECLINED", text: "I keep it.", lines: [0], language: "HI" },
      { ...said, _id: "c", answer: "WITHDRAWN", text: "" },
      {
        ...said,
        _id: "d",
        answer: "QUESTION",
        text: "Why now?",
        reply: "The weight is too high.",
        repliedAt: "2026-11-20T08:00:00Z",
      },
    ],
  })

  const answers = drawer.getByRole("list", { name: "Client’s answers" })
  expect(
    within(answers)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual([
    "Read20/11/2026 11:30 IST",
    "Declined20/11/2026 11:30 ISTin Hindiabout INFYI keep it.",
    "Will act after all20/11/2026 11:30 IST",
    "Question20/11/2026 11:30 ISTWhy now?Answered by mail 20/11/2026 13:30 ISTThe weight is too high.",
  ])
})

test("a client who has not answered is said so", async () => {
  const { drawer } = await open()

  expect(drawer.getByText("The client has not answered on the page yet.")).toBeVisible()
})

test("the client's own trades are listed; none, and not known, are said", async () => {
  const trade = {
    tradeId: "75000009",
    at: "2026-11-20T05:15:00Z",
    isin: "INE154A01025",
    tradingSymbol: "ITC",
    exchange: "NSE",
    side: "BUY" as const,
    quantity: 7,
    price: 401.5,
    source: "BROKER" as const,
  }
  const { drawer, user } = await open({ ownTrades: [trade] })

  const table = within(drawer.getByRole("region", { name: "Own trades, table" }))
  expect(cellsOf(table.getByRole("row", { name: /ITC/ }))).toBe(
    "20/11/2026 10:45 IST | ITC | BUY | 7 | 401.50 | Broker",
  )
  answer("get", "/admin/advice/advice-2/execution", execution({ ownTrades: null }))
  await user.click(drawer.getByRole("button", { name: "Next advice" }))
  expect(await screen.findByText(/trades have not been read since/)).toBeVisible()
})

test("the next advice of the list opens from the drawer", async () => {
  const other = { adviceId: "advice-2", name: "Ravi Iyer" }
  answer("get", "/admin/advice/advice-2/execution", execution(other))
  const { drawer, user, router } = await open()
  expect(drawer.getByRole("button", { name: "Previous advice" })).toBeDisabled()

  await user.click(drawer.getByRole("button", { name: "Next advice" }))

  expect(await screen.findByRole("dialog", { name: "Follow-up of Ravi Iyer" })).toBeVisible()
  await user.keyboard("{Escape}")
  await waitFor(() => expect(router.state.location.search).not.toHaveProperty("advice"))
})

test("a failure stays in the drawer and can be tried again", async () => {
  boardAnswered([followUpRow()])
  refuse("get", path, 500, "")
  const { user } = await showApp("/home/follow-up?advice=advice-1", { role: "ADMIN" })
  const drawer = within(await screen.findByRole("dialog"))
  expect(await drawer.findByText("Failed to fetch data")).toBeVisible()

  answer("get", path, execution())
  await user.click(drawer.getByRole("button", { name: "Retry" }))

  expect(await drawer.findByText("Implementation shortfall")).toBeVisible()
})

test("a USER has no drafts and links in the drawer", async () => {
  const { drawer } = await open({}, "USER")

  expect(drawer.getByRole("button", { name: "Advice history" })).toBeVisible()
  for (const name of ["Draft follow-up", "Copy client link", "End link"])
    expect(drawer.queryByRole("button", { name })).toBeNull()
})
