import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, describe, expect, test } from "vitest"
import { adviceAnswered, asha } from "@/testing/advice-rows"
import { draftForAsha, openComputed } from "@/testing/advice-screen"
import { hang, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { cellsOf, dataRows, headings } from "@/testing/tables"
import { draft } from "./draft"

const rebalance = "/admin/advice/rebalance-portfolio"

beforeEach(() => {
  draftForAsha()
})

describe("the result", () => {
  test("is asked for with the client, the Investment Value and the targets in percent", async () => {
    const { calls } = await openComputed()

    expect(calls.map((call) => call.body)).toEqual([
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
    await openComputed()

    expect(screen.getByRole("group", { name: "To buy" })).toHaveTextContent("₹9,000.00")
    expect(screen.getByRole("group", { name: "To sell" })).toHaveTextContent("₹10,500.00")
    expect(screen.getByRole("group", { name: "Cash after" })).toHaveTextContent("₹11,453.20")
    expect(screen.getByRole("group", { name: "Trades" })).toHaveTextContent("2of 3 stocks")
    expect(screen.getByText("Asha Rao")).toBeVisible()
    expect(screen.getByText("₹1,00,000.00")).toBeVisible()
  })

  test("has SELL before BUY before HOLD, and as a table every column of the product", async () => {
    const { user } = await openComputed()
    expect(
      screen.getByRole("img", { name: "60.00% now, 49.50% after, 50.00% target" }),
    ).toBeVisible()

    await user.click(screen.getByRole("button", { name: "Table" }))

    expect(screen.queryByRole("img", { name: /60.00% now/ })).not.toBeInTheDocument()
    expect(await headings()).toBe(
      "Details | Transaction Type | Stock | Current Quantity | Changed Quantity | New Quantity | " +
        "Current % Allocation | New % Allocation | Possible % Allocation | LTP | " +
        "Current Investment Amount | Additional Investment Amount | Project Investment Value | " +
        "Exchange | Order Type",
    )
    const [sell, buy, hold] = dataRows()
    expect(cellsOf(sell!)).toBe(
      " | SELL | INFY | 40 | 7 | 33 | 60.00% | 50.00% | 49.50% | 1,500.00 | " +
        "₹60,000.00 | ₹10,500.00 | ₹49,500.00 | NSE | DELIVERY",
    )
    expect(within(buy!).getAllByRole("cell")[11]).toHaveTextContent("₹9,000.00")
    expect(cellsOf(hold!)).toMatch(/^ \| HOLD \| ITC \| 5 \| 0 \| 5 \| - \| - \| - \| - \|/)
    expect(hold).toHaveAttribute("data-muted", "true")
    expect(screen.getByText("Total Stock").textContent).toBe("Total Stock 3")
  })

  test("gives the notices, what the trades cost, and the rest under Advanced", async () => {
    const { user } = await openComputed()

    expect(screen.getByText("ITC has no price and is left as it is")).toBeVisible()
    expect(screen.getByText("The sales and the cash pay for all purchases.")).toBeVisible()
    expect(screen.getByText("₹46.80")).toBeVisible()
    expect(screen.getByText("Depository").nextSibling).toHaveTextContent("₹15.34")
    expect(screen.getByText("112.50 bp")).not.toBeVisible()

    await user.click(screen.getByText("Advanced"))

    expect(screen.getByText("112.50 bp")).toBeVisible()
    expect(screen.getByText("Closest possible")).toBeVisible()
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

test.each(["/home/advice-rebalance", "/home/advice-preview"])(
  "Back from %s keeps all that was typed",
  async (address) => {
    const { user } = await openComputed(address)

    await user.click(screen.getByRole("button", { name: "Back" }))

    expect(await screen.findByLabelText("Target Allocation of TCS")).toHaveValue("40.00%")
    expect(screen.getByLabelText("Client code")).toHaveValue("C1007")
    expect(screen.getByLabelText("Investment Value")).toHaveValue("₹1,00,000")
  },
)

describe("the options", () => {
  test("are sent and recompute the trades", async () => {
    const { user, calls } = await openComputed()
    await user.click(screen.getByRole("button", { name: "Options" }))

    await user.type(screen.getByLabelText("Skip trades under"), "500")
    await user.selectOptions(screen.getByLabelText("Allow fresh funds"), "No")
    await user.click(screen.getByRole("button", { name: "Recompute" }))

    await waitFor(() => expect(calls).toHaveLength(2))
    expect(calls[1]?.body).toMatchObject({
      options: { minimumTradeValue: 500, allowFreshFunds: false },
    })
    expect(await screen.findByRole("button", { name: "Options (2)" })).toBeVisible()
  })
})

test("the trade list is copied with the registration and the own sentences, without HOLD", async () => {
  draft.change({ notes: { INE408065: "The margin fell." } })
  const { user } = await openComputed()

  await user.choose("More", "Copy trade list")

  expect(await screen.findByText("Trade list copied")).toBeVisible()
  expect(await navigator.clipboard.readText()).toBe(
    [
      "Kavita Rao, SEBI Research Analyst INH000012345",
      "Asha Rao (C1007), Investment Value ₹1,00,000.00",
      "Prices: Simulated, 20/11/2026 15:29 IST",
      "Practice: simulated prices, not investment advice",
      "",
      "SELL 7 INFY (NSE) at about ₹1,500.00 = ₹10,500.00",
      "  The margin fell.",
      "BUY 3 TCS (NSE) at about ₹3,000.00 = ₹9,000.00",
      "",
      "To sell ₹10,500.00, to buy ₹9,000.00, cash after ₹11,453.20",
    ].join("\n"),
  )
})
