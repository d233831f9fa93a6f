import { act, screen, waitFor, within } from "@testing-library/react"
import { beforeEach, describe, expect, test, vi } from "vitest"
import { priceStore } from "@/live/prices"
import { adviceAnswered, ashaHoldings, ashaRebalance } from "@/testing/advice-rows"
import { setScreenWidth } from "@/testing/screen-width"
import { answer, answerWith, breakOff, hang, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { clientLoading, draft } from "./draft"
import { refusals } from "./targets"

const byCode = "/admin/advice/clients/by-code/:code/holdings"

beforeEach(() => {
  draft.reset()
  clientLoading.set(false)
  priceStore.clear()
})

const code = () => screen.getByLabelText("Client code")
const target = (symbol: string) => screen.getByLabelText(`Target Allocation of ${symbol}`)
const auto = (symbol: string) => screen.getByRole("switch", { name: `Auto for ${symbol}` })
const meter = () => screen.getByRole("meter", { name: "Target allocation" })

async function open(holdings = adviceAnswered()) {
  const app = await showApp("/home/advice", { role: "ADMIN" })
  await app.user.type(code(), "c1007")
  await screen.findByLabelText("Target Allocation of INFY")
  const set = async (symbol: string, percent: string) => {
    await app.user.clear(target(symbol))
    await app.user.type(target(symbol), `${percent}{Enter}`)
  }
  return { ...app, set, holdings }
}

describe("the client code", () => {
  test("loads its client by itself and fills the Investment Value with holdings and cash", async () => {
    const { holdings } = await open()

    expect(code()).toHaveValue("C1007")
    expect(screen.getByLabelText("Client name")).toHaveValue("Asha Rao")
    expect(screen.getByLabelText("Investment Value")).toHaveValue("₹1,00,000")
    expect(holdings.map((call) => call.path)).toEqual([
      "/api/v1/admin/advice/clients/by-code/C1007/holdings",
    ])
  })

  test("that is no longer whole clears client, holdings and Investment Value", async () => {
    const { user } = await open()

    await user.type(code(), "{Backspace}")

    expect(code()).toHaveValue("C100")
    expect(screen.getByLabelText("Client name")).toHaveValue("")
    expect(screen.getByLabelText("Investment Value")).toHaveValue("")
    expect(screen.getByText("No Data Available")).toBeVisible()
  })

  test.each([
    [404, "No holdings found for C1007."],
    [500, "Failed to fetch client details. Please try again."],
  ])("answered with %i says so", async (status, words) => {
    adviceAnswered()
    refuse("get", byCode, status, "No.")
    const { user } = await showApp("/home/advice", { role: "ADMIN" })

    await user.type(code(), "C1007")

    expect(await screen.findByText(words)).toBeVisible()
    expect(screen.getByText("No Data Available")).toBeVisible()
  })

  test("without a network says so, and may be tried again", async () => {
    adviceAnswered()
    breakOff("get", byCode)
    const { user } = await showApp("/home/advice", { role: "ADMIN" })
    await user.type(code(), "C1007")
    expect(
      await screen.findByText("Network error. Check your connection and try again."),
    ).toBeVisible()
    answer("get", byCode, ashaHoldings)

    await user.click(screen.getByRole("button", { name: "Try again" }))

    expect(await screen.findByLabelText("Target Allocation of TCS")).toBeVisible()
  })

  test("of a dead session leads to the log-in", async () => {
    adviceAnswered()
    refuse("get", byCode, 401, "Session expired.")
    const { user, router } = await showApp("/home/advice", { role: "ADMIN" })

    await user.type(code(), "C1007")

    expect(await screen.findByText("Session expired. Please log in again.")).toBeVisible()
    await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
  })

  test("comes with the navigation, once", async () => {
    adviceAnswered()
    const { user } = await showApp("/home/advice", { role: "ADMIN", state: { username: "C1007" } })

    expect(await screen.findByLabelText("Client name")).toHaveValue("Asha Rao")
    await user.type(code(), "{Backspace}")
    expect(code()).toHaveValue("C100")
  })

  test("shows that it loads", async () => {
    adviceAnswered()
    hang("get", byCode)
    const { user } = await showApp("/home/advice", { role: "ADMIN" })

    await user.type(code(), "C1007")

    expect(screen.getByRole("status", { name: "Loading client" })).toBeVisible()
  })
})

describe("a target", () => {
  test("is counted by the meter, in words too", async () => {
    const { set } = await open()

    await set("INFY", "60.25")
    await set("TCS", "33.25")

    expect(target("INFY")).toHaveValue("60.25%")
    expect(meter()).toHaveAttribute("aria-valuetext", "93.50% allocated · 6.50% left of 100%")
  })

  test("over 100% in all is refused and the last good one comes back", async () => {
    const { set } = await open()
    await set("INFY", "60")

    await set("TCS", "40.01")

    expect(await screen.findByText(refusals.over100)).toBeVisible()
    expect(target("TCS")).toHaveValue("")
    expect(meter()).toHaveAttribute("aria-valuenow", "60")
  })

  test("without an Investment Value is refused", async () => {
    const { set, user } = await open()
    await user.clear(screen.getByLabelText("Investment Value"))

    await set("INFY", "10")

    expect(
      await screen.findByText(
        "Please fill in the Investment Value before setting Target Allocation.",
      ),
    ).toBeVisible()
    expect(target("INFY")).toHaveValue("")
  })

  test("of CASH above the cash there is is refused", async () => {
    const { set } = await open()

    await set("CASH", "10.01")

    expect(
      await screen.findByText(
        "For CASH, % Allocation must be greater than or equal to Target Allocation.",
      ),
    ).toBeVisible()
    await set("CASH", "10")
    expect(target("CASH")).toHaveValue("10.00%")
  })
})

describe("Auto", () => {
  test("copies the live share, and gives the target of before back", async () => {
    const { set, user } = await open()
    await set("INFY", "25")
    act(() => priceStore.collect({ "408065": 1600 }))
    await waitFor(() => expect(screen.getByText("₹64,000.00")).toBeVisible())

    await user.click(auto("INFY"))
    expect(auto("INFY")).toBeChecked()
    expect(target("INFY")).toHaveValue("64.00%")

    await user.click(auto("INFY"))
    expect(auto("INFY")).not.toBeChecked()
    expect(target("INFY")).toHaveValue("25.00%")
  })

  test("goes off when the target is edited by hand", async () => {
    const { set, user } = await open()
    await user.click(auto("INFY"))

    await set("INFY", "61")

    expect(auto("INFY")).not.toBeChecked()
  })

  test("stays off when the copy is refused", async () => {
    const { set, user } = await open()
    await set("TCS", "50")

    await user.click(auto("INFY"))

    expect(await screen.findByText(refusals.over100)).toBeVisible()
    expect(auto("INFY")).not.toBeChecked()
    expect(target("INFY")).toHaveValue("")
  })
})

describe("the keys", () => {
  test("Up and Down go between targets, A toggles Auto on the row", async () => {
    const { user } = await open()
    await user.click(target("INFY"))

    await user.keyboard("{ArrowDown}")
    expect(target("TCS")).toHaveFocus()
    await user.keyboard("{ArrowDown}{ArrowUp}{ArrowUp}")
    expect(target("INFY")).toHaveFocus()

    await user.keyboard("a")
    expect(auto("INFY")).toBeChecked()
    expect(target("INFY")).toHaveValue("60.00%")
  })

  test("/ goes to the stock search", async () => {
    const { user } = await open()
    await user.click(document.body)

    await user.keyboard("/")

    expect(screen.getByLabelText("Search stock to add")).toHaveFocus()
  })

  test("Ctrl Enter commits what is typed and rebalances", async () => {
    const calls = answerWith("post", "/admin/advice/rebalance-portfolio", ashaRebalance)
    const { user, router } = await open()
    await user.clear(target("INFY"))
    await user.type(target("INFY"), "50")

    await user.keyboard("{Control>}{Enter}{/Control}")

    await waitFor(() => expect(router.state.location.pathname).toBe("/home/advice-rebalance"))
    await waitFor(() => expect(calls).toHaveLength(1))
    expect(calls[0]?.body).toMatchObject({ targetHoldings: [{ allocationPercentage: 50 }] })
  })

  test("Ctrl Enter stays when what is typed is refused", async () => {
    const { user, router } = await open()
    await user.clear(target("INFY"))
    await user.type(target("INFY"), "100.01")

    await user.keyboard("{Control>}{Enter}{/Control}")

    expect(await screen.findByText(refusals.over100)).toBeVisible()
    expect(router.state.location.pathname).toBe("/home/advice")
  })
})

describe("a stock", () => {
  const wipro = {
    symbol: "WIPRO",
    exchange: "NSE",
    name: "Wipro Ltd.",
    isin: "I",
    instrumentToken: 9,
  }

  test("is searched from two letters on, added before CASH, and not twice", async () => {
    const searches = answer("get", "/instruments/search", [wipro])
    const added = answer("post", "/instruments/add", { ltp: 250 })
    const { user } = await open()
    const field = screen.getByLabelText("Search stock to add")

    await user.type(field, "w")
    await new Promise((rest) => setTimeout(rest, 350))
    expect(searches).toHaveLength(0)
    await user.type(field, "i")
    await user.click(await screen.findByRole("option", { name: /WIPRO/ }))

    expect(await screen.findByText("Stock added successfully")).toBeVisible()
    expect(searches.map((call) => call.search.get("query"))).toEqual(["wi"])
    expect(added.map((call) => call.body)).toEqual([{ symbolName: "WIPRO", exchange: "NSE" }])
    expect(draft.get().rows.map((row) => row.tradingSymbol)).toEqual([
      "INFY",
      "TCS",
      "WIPRO",
      "CASH",
    ])

    await user.type(field, "wi")
    await user.click(await screen.findByRole("option", { name: /WIPRO/ }))
    expect(await screen.findByText("WIPRO is already in the table.")).toBeVisible()
    expect(added).toHaveLength(1)
  })

  test("that cannot be added is only logged", async () => {
    answer("get", "/instruments/search", [wipro])
    refuse("post", "/instruments/add", 404, "Not there.")
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined)
    const { user } = await open()

    await user.type(screen.getByLabelText("Search stock to add"), "wi")
    await user.click(await screen.findByRole("option", { name: /WIPRO/ }))

    await waitFor(() => expect(log).toHaveBeenCalled())
    expect(screen.queryByText("Stock added successfully")).not.toBeInTheDocument()
    expect(draft.get().rows).toHaveLength(3)
  })

  test("that is removed comes back to its place with its target by Undo", async () => {
    const left = answer("delete", "/instruments/remove", null)
    answer("post", "/instruments/add", { ltp: 1500 })
    const { set, user } = await open()
    await set("INFY", "30")

    await user.click(screen.getByRole("button", { name: "Remove INFY" }))
    expect(screen.queryByLabelText("Target Allocation of INFY")).not.toBeInTheDocument()
    expect(meter()).toHaveAttribute("aria-valuenow", "0")
    await user.click(screen.getByRole("button", { name: "Undo" }))

    expect(target("INFY")).toHaveValue("30.00%")
    expect(draft.get().rows[0]?.tradingSymbol).toBe("INFY")
    expect(left[0]?.body).toEqual({ symbolName: "INFY", exchange: "NSE" })
  })
})

test("the rest is filled and taken back, and all is normalised to 100%", async () => {
  const { set, user } = await open()
  await set("INFY", "20")
  await set("TCS", "10")

  await user.click(screen.getByRole("button", { name: "Fill the rest" }))
  expect([target("INFY"), target("TCS")].map((field) => (field as HTMLInputElement).value)).toEqual(
    ["55.00%", "45.00%"],
  )
  await user.click(screen.getByRole("button", { name: "Undo" }))
  expect(target("INFY")).toHaveValue("20.00%")
  await user.click(screen.getByRole("button", { name: "Normalise to 100%" }))
  expect(target("INFY")).toHaveValue("66.67%")
  expect(meter()).toHaveAttribute("aria-valuetext", "100.00% allocated · 0.00% left of 100%")
})

test("the draft outlives a reload, with the quantities of now", async () => {
  const { set, unmount } = await open()
  await set("INFY", "42")
  unmount()
  const kept = sessionStorage.getItem("tarazu.advice") ?? ""
  draft.reset()
  sessionStorage.setItem("tarazu.advice", kept)
  draft.restore()
  const [infy, ...others] = ashaHoldings.holdings
  answer("get", byCode, { ...ashaHoldings, holdings: [{ ...infy!, quantity: 41 }, ...others] })

  await showApp("/home/advice", { role: "ADMIN" })

  expect(target("INFY")).toHaveValue("42.00%")
  expect(code()).toHaveValue("C1007")
  expect(await screen.findByRole("cell", { name: "41" })).toBeVisible()
})

test("another person who signs in here does not find the draft", async () => {
  const { set, unmount } = await open()
  await set("INFY", "42")
  unmount()
  answer("get", "/auth/verify-token", { role: "ADMIN", name: "Ravi", email: "ravi@example.in" })

  await showApp("/home/advice", { role: "ADMIN" })

  await waitFor(() => expect(code()).toHaveValue(""))
  expect(draft.get().rows).toHaveLength(0)
})

test("a broker that is not logged in cannot be connected", async () => {
  const { user } = await open()

  await user.click(screen.getByRole("button", { name: "Connect Broker" }))

  expect(await screen.findByText("Failed to connect broker")).toBeVisible()
})

test("a connected broker says so and is not asked again", async () => {
  adviceAnswered()
  answer("get", "/admin/broker", { isConnected: true })
  await showApp("/home/advice", { role: "ADMIN" })

  expect(await screen.findByRole("button", { name: "Broker Connected" })).toBeDisabled()
})

test("on a phone a row is two lines with its target and Auto", async () => {
  setScreenWidth(390)
  await open()

  const list = screen.getByRole("list", { name: "Advice" })
  const first = within(within(list).getAllByRole("listitem")[0]!)
  expect(first.getByText("INFY")).toBeVisible()
  expect(first.getByText("× 40")).toBeVisible()
  expect(first.getByText(/60\.00% now/)).toBeVisible()
  expect(first.getByLabelText("Target Allocation of INFY")).toBeVisible()
})
