import { screen, waitFor, within } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { adviceAnswered, asha, ashaHoldings, ashaRebalance } from "@/testing/advice-rows"
import { answer, answerWith, breakOff, hang, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { draft, rowsOf } from "./draft"
import { fewerOrders } from "./options-popover"
import { keyOf } from "./targets"

const rebalance = "/admin/advice/rebalance-portfolio"
const create = "/admin/advice/create"
const sent = { _id: "1", createdAt: "2026-11-20T10:01:00Z", status: "QUEUED" }

beforeEach(() => {
  draft.reset()
  const targets = new Map([
    ["NSE:INFY", 5000],
    ["NSE:TCS", 4000],
    ["CASH", 1000],
  ])
  draft.change({
    username: "C1007",
    client: { id: asha._id, name: asha.name, code: "C1007" },
    investment: 100_000,
    rows: rowsOf(ashaHoldings).map((row) => ({ ...row, target: targets.get(keyOf(row)) ?? null })),
  })
})
afterEach(() => {
  vi.useRealTimers()
})

async function open(address = "/home/advice-rebalance") {
  adviceAnswered()
  const asked = answerWith("post", rebalance, ashaRebalance)
  const app = await showApp(address, { role: "ADMIN" })
  await screen.findByRole("button", { name: "Send" })
  await waitFor(() => expect(screen.getByRole("button", { name: "Send" })).toBeEnabled())
  const confirmSend = async () => {
    await app.user.click(screen.getByRole("button", { name: "Send" }))
    return screen.findByRole("dialog", { name: "Send advice" })
  }
  return { ...app, asked, confirmSend }
}

describe("the result", () => {
  test("is asked for with the client, the Investment Value and the targets in percent", async () => {
    const { asked } = await open()

    expect(asked.map((call) => call.body)).toEqual([
      {
        clientId: asha._id,
        clientName: "Asha Rao",
        targetInvestmentValue: 100_000,
        targetHoldings: [
          {
            tradingSymbol: "INFY",
            isin: "INE408065",
            exchange: "NSE",
            instrumentToken: 408065,
            allocationPercentage: 50,
          },
          {
            tradingSymbol: "TCS",
            isin: "INE2953217",
            exchange: "NSE",
            instrumentToken: 2953217,
            allocationPercentage: 40,
          },
          { tradingSymbol: "CASH", isin: "", exchange: "", allocationPercentage: 10 },
        ],
        options: {},
      },
    ])
  })

  test("says Rebalancing... while it is computed", async () => {
    adviceAnswered()
    hang("post", rebalance)

    await showApp("/home/advice-rebalance", { role: "ADMIN" })

    expect(await screen.findByText("Rebalancing...")).toBeInTheDocument()
    expect(screen.getByRole("button", { name: "Send" })).toBeDisabled()
  })

  test("opens with four numbers and names client and Investment Value", async () => {
    await open()

    expect(screen.getByRole("group", { name: "To buy" })).toHaveTextContent("₹9,000.00")
    expect(screen.getByRole("group", { name: "To sell" })).toHaveTextContent("₹10,500.00")
    expect(screen.getByRole("group", { name: "Cash after" })).toHaveTextContent("₹11,453.20")
    expect(screen.getByRole("group", { name: "Trades" })).toHaveTextContent("2of 3 stocks")
    expect(screen.getByText("Asha Rao")).toBeVisible()
    expect(screen.getByText("₹1,00,000.00")).toBeVisible()
  })

  test("has SELL before BUY before HOLD, and every column of the product", async () => {
    await open()
    const [heads, ...rows] = within(screen.getByRole("table")).getAllByRole("row")
    const texts = (row: HTMLElement, role: string) =>
      within(row)
        .getAllByRole(role)
        .map((cell) => cell.textContent)

    expect(texts(heads!, "columnheader")).toEqual([
      "Transaction Type",
      "Stock",
      "Current Quantity",
      "Changed Quantity",
      "New Quantity",
      "Current % Allocation",
      "New % Allocation",
      "Possible % Allocation",
      "LTP",
      "Current Investment Amount",
      "Additional Investment Amount",
      "Project Investment Value",
      "Exchange",
      "Order Type",
    ])
    expect(texts(rows[0]!, "cell")).toEqual([
      "SELL",
      "INFY",
      "40",
      "7",
      "33",
      "60.00%",
      "50.00%",
      "49.50%",
      "1,500.00",
      "₹60,000.00",
      "₹10,500.00",
      "₹49,500.00",
      "NSE",
      "DELIVERY",
    ])
    expect(texts(rows[1]!, "cell")[10]).toBe("₹9,000.00")
    expect(texts(rows[2]!, "cell").slice(0, 9)).toEqual([
      "HOLD",
      "ITC",
      "5",
      "0",
      "5",
      "-",
      "-",
      "-",
      "-",
    ])
    expect(rows[2]).toHaveAttribute("data-muted", "true")
    expect(screen.getByText("Total Stock").textContent).toBe("Total Stock 3")
  })

  test("gives each row's reason, the notices and what the trades cost", async () => {
    await open()
    const reasons = screen.getByRole("list", { name: "Before and after" })

    expect(within(reasons).getByText(/^Sell 7: 10\.00 pp over target/)).toBeVisible()
    expect(within(reasons).getByText("No price: left as it is")).toBeVisible()
    expect(screen.getByText("ITC has no price and is left as it is")).toBeVisible()
    expect(screen.getByText("112.50 bp")).toBeVisible()
    expect(screen.getByText("₹46.80")).toBeVisible()
    expect(screen.getByText("Depository").nextSibling).toHaveTextContent("₹15.34")
  })

  test("that fails says so with the server's sentence, and leads back to the targets", async () => {
    adviceAnswered()
    refuse("post", rebalance, 422, "INFY: no such stock.")
    const { user, router } = await showApp("/home/advice-rebalance", { role: "ADMIN" })
    const messages = within(screen.getByRole("region", { name: "Messages" }))
    expect(await messages.findByText("Rebalancing failed")).toBeVisible()
    expect(messages.getByText("INFY: no such stock.")).toBeVisible()

    await user.click(screen.getByRole("button", { name: "Back to the targets" }))

    await waitFor(() => expect(router.state.location.pathname).toBe("/home/advice"))
    expect(await screen.findByLabelText("Target Allocation of INFY")).toHaveValue("50.00%")
  })

  test("without a draft offers the way to the form", async () => {
    draft.reset()
    adviceAnswered()

    await showApp("/home/advice-rebalance", { role: "ADMIN" })

    expect(await screen.findByRole("button", { name: "Go to Advice" })).toBeVisible()
  })
})

test("Back keeps all that was typed", async () => {
  const { user } = await open()

  await user.click(screen.getByRole("button", { name: "Back" }))

  expect(await screen.findByLabelText("Target Allocation of TCS")).toHaveValue("40.00%")
  expect(screen.getByLabelText("Client code")).toHaveValue("C1007")
  expect(screen.getByLabelText("Investment Value")).toHaveValue("₹1,00,000")
})

describe("Send", () => {
  test("asks first, repeating client, total and count", async () => {
    const { confirmSend } = await open()

    const dialog = within(await confirmSend())

    expect(dialog.getByText("Asha Rao (C1007)")).toBeVisible()
    expect(dialog.getByText("₹1,00,000.00")).toBeVisible()
    expect(dialog.getByText("2: 1 SELL, 1 BUY")).toBeVisible()
  })

  test("sends what is shown, once, however often it is pressed", async () => {
    const created = answer("post", create, sent)
    const { user, router, confirmSend } = await open()
    const dialog = within(await confirmSend())
    await user.type(dialog.getByLabelText("Rationale"), "Back to the model.")

    await user.dblClick(dialog.getByRole("button", { name: "Send 2 orders" }))

    expect(await screen.findByText("Advice created successfully")).toBeVisible()
    await waitFor(() => expect(router.state.location.pathname).toBe("/home/advice"))
    expect(created).toHaveLength(1)
    expect(created[0]?.headers.get("Idempotency-Key")).toBe(ashaRebalance.rebalanceId)
    expect(created[0]?.body).toMatchObject({
      userId: asha._id,
      totalStocks: 2,
      totalInvestedValue: 100_000,
      totalBuyValue: 39_000,
      totalSellValue: 49_500,
      rebalanceId: ashaRebalance.rebalanceId,
      rationale: "Back to the model.",
      stocks: [
        { type: "SELL", symbol: "INFY", quantity: 7, instrumentToken: 408065, ltp: 1500 },
        { type: "BUY", symbol: "TCS", quantity: 3, instrumentToken: 2953217, ltp: 3000 },
      ],
    })
    expect(draft.get()).toMatchObject({ username: "", client: null, investment: "", rows: [] })
    expect(screen.getByLabelText("Client code")).toHaveValue("")
  })

  test("that is refused says why and keeps everything", async () => {
    const why = "INFY: the price moved 3.10 % since the rebalance. Rebalance again."
    refuse("post", create, 422, why)
    const { user, confirmSend } = await open()
    const dialog = within(await confirmSend())

    await user.click(dialog.getByRole("button", { name: "Send 2 orders" }))

    expect(await screen.findByText("Failed to create advice.")).toBeVisible()
    expect(screen.getByText(why)).toBeVisible()
    expect(draft.get().sending).toBeNull()
    expect(draft.get().rows).toHaveLength(3)
    expect(dialog.getByRole("button", { name: "Send 2 orders" })).toBeEnabled()
  })

  test("shows the firm's demand for a rationale at its field", async () => {
    answerWith(
      "post",
      create,
      {
        success: false,
        message: "A rationale is required to send advice.",
        code: "rationale_required",
      },
      422,
    )
    const { user, confirmSend } = await open()
    const dialog = within(await confirmSend())

    await user.click(dialog.getByRole("button", { name: "Send 2 orders" }))

    await waitFor(() =>
      expect(dialog.getByLabelText("Rationale")).toHaveAccessibleDescription(
        "A rationale is required to send advice.",
      ),
    )
  })

  test("that got no answer is only sent again as it was, under its key, even after a reload", async () => {
    breakOff("post", create)
    const { user, confirmSend, unmount } = await open()
    const dialog = within(await confirmSend())
    await user.click(dialog.getByRole("button", { name: "Send 2 orders" }))
    expect(await screen.findByText("Failed to create advice.")).toBeVisible()
    unmount()
    const marked = draft.get().sending
    draft.restore()
    expect(draft.get().sending).toEqual(marked)
    answerWith("post", rebalance, { ...ashaRebalance, rebalanceId: "another" })
    const created = answer("post", create, sent)

    const again = await showApp("/home/advice-rebalance", { role: "ADMIN" })

    await waitFor(() => expect(screen.getByRole("button", { name: "Send" })).toBeDisabled())
    await again.user.click(await screen.findByRole("button", { name: "Send again" }))
    expect(await screen.findByText("Advice created successfully")).toBeVisible()
    expect(created.map((call) => call.headers.get("Idempotency-Key"))).toEqual([
      ashaRebalance.rebalanceId,
    ])
    expect(created[0]?.body).toEqual(JSON.parse(JSON.stringify(marked?.body)))
    expect(draft.get().client).toBeNull()
  })

  test("with a session that expired keeps the draft for after the log-in", async () => {
    refuse("post", create, 401, "Session expired.")
    const { user, router, confirmSend } = await open()
    const dialog = within(await confirmSend())
    await user.type(dialog.getByLabelText("Rationale"), "Because.")

    await user.click(dialog.getByRole("button", { name: "Send 2 orders" }))

    await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
    expect(draft.get()).toMatchObject({ username: "C1007", rationale: "Because.", sending: null })
    expect(draft.get().rows.map((row) => row.target)).toEqual([5000, 4000, 1000])
  })

  test("with prices older than a minute offers to recompute", async () => {
    const { user, asked, confirmSend } = await open()
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 61_000)
    vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] })

    const dialog = within(await confirmSend())
    expect(
      await dialog.findByText(/were computed 1 minute ago/, {}, { timeout: 3000 }),
    ).toBeVisible()
    await user.click(dialog.getByRole("button", { name: "Recompute" }))

    await waitFor(() => expect(asked).toHaveLength(2))
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument()
  })

  test("with fresh prices says nothing of their age", async () => {
    const { confirmSend } = await open()

    const dialog = within(await confirmSend())

    expect(dialog.queryByRole("button", { name: "Recompute" })).not.toBeInTheDocument()
  })

  test("is off when every row is HOLD", async () => {
    adviceAnswered()
    const holds = ashaRebalance.data.filter((row) => row.type === "HOLD")
    answerWith("post", rebalance, { ...ashaRebalance, data: holds })

    await showApp("/home/advice-rebalance", { role: "ADMIN" })

    await screen.findByRole("group", { name: "Trades" })
    expect(screen.getByRole("button", { name: "Send" })).toBeDisabled()
  })
})

describe("the options", () => {
  test("are sent and compute the trades anew", async () => {
    const { user, asked } = await open()
    await user.click(screen.getByRole("button", { name: "Options" }))

    await user.type(screen.getByLabelText("Leave out trades under"), "500")
    await user.selectOptions(screen.getByLabelText("Allow fresh funds"), "No")
    await user.click(screen.getByRole("button", { name: "Recompute" }))

    await waitFor(() => expect(asked).toHaveLength(2))
    expect(asked[1]?.body).toMatchObject({
      options: { minimumTradeValue: 500, allowFreshFunds: false },
    })
    expect(await screen.findByRole("button", { name: "Options (2)" })).toBeVisible()
  })

  test("have a preset for fewer orders, narrower for a large portfolio", () => {
    expect(fewerOrders(2_500_000)).toEqual({ bandPercentage: 0.25, minimumTradeValue: 1000 })
    expect(fewerOrders(10_000_000).bandPercentage).toBe(0.1)
  })
})

test("the trade list is copied with the registration, without HOLD", async () => {
  const { user } = await open()

  await user.click(screen.getByRole("button", { name: "More" }))
  await user.click(await screen.findByRole("menuitem", { name: "Copy trade list" }))

  expect(await screen.findByText("Trade list copied")).toBeVisible()
  expect(await navigator.clipboard.readText()).toBe(
    [
      "Kavita Rao, SEBI Research Analyst INH000012345",
      "Asha Rao (C1007), Investment Value ₹1,00,000.00",
      "Prices of 20/11/2026 15:30 IST",
      "",
      "SELL 7 INFY (NSE) at about ₹1,500.00 = ₹10,500.00",
      "BUY 3 TCS (NSE) at about ₹3,000.00 = ₹9,000.00",
      "",
      "To sell ₹10,500.00, to buy ₹9,000.00, cash after ₹11,453.20",
    ].join("\n"),
  )
})

describe("the preview", () => {
  test("shows the client's own name, the totals, and only what is traded", async () => {
    await open("/home/advice-preview")

    expect(screen.getByText("Asha Rao")).toBeVisible()
    expect(screen.getByText("Invested Value")).toBeVisible()
    expect(screen.getByRole("group", { name: "Total Stock" })).toHaveTextContent("2")
    expect(screen.getByRole("group", { name: "Total Buy" })).toHaveTextContent("₹39,000.00")
    expect(screen.getByRole("group", { name: "Total Sell" })).toHaveTextContent("₹49,500.00")
    expect(screen.getByRole("group", { name: "Total Investment Value" })).toHaveTextContent(
      "₹1,00,000.00",
    )
    expect(within(screen.getByRole("table")).queryByText("ITC")).not.toBeInTheDocument()
  })

  test("sends as the result does", async () => {
    const created = answer("post", create, sent)
    const { user, router, confirmSend } = await open("/home/advice-preview")
    const dialog = within(await confirmSend())

    await user.click(dialog.getByRole("button", { name: "Send 2 orders" }))

    await waitFor(() => expect(router.state.location.pathname).toBe("/home/advice"))
    expect(created).toHaveLength(1)
  })

  test("shows the very trades of the result, without computing them again", async () => {
    const { user, asked } = await open()

    await user.click(screen.getByRole("button", { name: "More" }))
    await user.click(await screen.findByRole("menuitem", { name: "Preview" }))

    expect(await screen.findByRole("group", { name: "Total Buy" })).toBeVisible()
    expect(asked).toHaveLength(1)
  })
})
