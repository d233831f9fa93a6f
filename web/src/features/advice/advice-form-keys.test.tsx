import { screen, waitFor, within } from "@testing-library/react"
import { describe, expect, test, vi } from "vitest"
import { ashaHoldings, ashaRebalance } from "@/testing/advice-rows"
import { autoOf, byCode, codeField, meter, openAdvice, targetOf } from "@/testing/advice-screen"
import { setScreenWidth } from "@/testing/screen-width"
import { answer, answerWith, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { draft } from "./draft"
import { refusals } from "./targets"

describe("the keys", () => {
  test("Up and Down go between targets, A toggles Auto on the row", async () => {
    const { user } = await openAdvice()
    await user.click(targetOf("INFY"))

    await user.keyboard("{ArrowDown}")
    expect(targetOf("TCS")).toHaveFocus()
    await user.keyboard("{ArrowDown}{ArrowUp}{ArrowUp}")
    expect(targetOf("INFY")).toHaveFocus()

    await user.keyboard("a")
    expect(autoOf("INFY")).toBeChecked()
    expect(targetOf("INFY")).toHaveValue("60.00%")
  })

  test("/ goes to the stock search", async () => {
    const { user } = await openAdvice()
    await user.click(document.body)

    await user.keyboard("/")

    expect(screen.getByLabelText("Search stock to add")).toHaveFocus()
  })

  test("Ctrl Enter commits what is typed and rebalances", async () => {
    const calls = answerWith("post", "/admin/advice/rebalance-portfolio", ashaRebalance)
    const { user, router } = await openAdvice()
    await user.clear(targetOf("INFY"))
    await user.type(targetOf("INFY"), "50")

    await user.keyboard("{Control>}{Enter}{/Control}")

    await waitFor(() => expect(router.state.location.pathname).toBe("/home/advice-rebalance"))
    await waitFor(() => expect(calls).toHaveLength(1))
    expect(calls[0]?.body).toMatchObject({ targetHoldings: [{ allocationPercentage: 50 }] })
  })

  test("Ctrl Enter stays when what is typed is refused", async () => {
    const { user, router } = await openAdvice()
    await user.refill(targetOf("INFY"), "100.01")

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
    const { user } = await openAdvice()
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
    const { user } = await openAdvice()

    await user.type(screen.getByLabelText("Search stock to add"), "wi")
    await user.click(await screen.findByRole("option", { name: /WIPRO/ }))

    await waitFor(() => expect(log).toHaveBeenCalled())
    expect(screen.queryByText("Stock added successfully")).not.toBeInTheDocument()
    expect(draft.get().rows).toHaveLength(3)
  })

  test("that is removed comes back to its place with its target by Undo", async () => {
    const left = answer("delete", "/instruments/remove", null)
    answer("post", "/instruments/add", { ltp: 1500 })
    const { set, user } = await openAdvice()
    await set("INFY", "30")

    await user.click(screen.getByRole("button", { name: "Remove INFY" }))
    expect(screen.queryByLabelText("Target Allocation of INFY")).not.toBeInTheDocument()
    expect(meter()).toHaveAttribute("aria-valuenow", "0")
    await user.click(screen.getByRole("button", { name: "Undo" }))

    expect(targetOf("INFY")).toHaveValue("30.00%")
    expect(draft.get().rows[0]?.tradingSymbol).toBe("INFY")
    expect(left[0]?.body).toEqual({ symbolName: "INFY", exchange: "NSE" })
  })
})

test("the rest is filled and undone, and all targets are normalised to 100%", async () => {
  const { set, user } = await openAdvice()
  await set("INFY", "20")
  await set("TCS", "10")

  await user.click(screen.getByRole("button", { name: "Fill the rest" }))
  expect(
    [targetOf("INFY"), targetOf("TCS")].map((field) => (field as HTMLInputElement).value),
  ).toEqual(["55.00%", "45.00%"])
  await user.click(screen.getByRole("button", { name: "Undo" }))
  expect(targetOf("INFY")).toHaveValue("20.00%")
  await user.click(screen.getByRole("button", { name: "Normalise to 100%" }))
  expect(targetOf("INFY")).toHaveValue("66.67%")
  expect(meter()).toHaveAttribute("aria-valuetext", "100.00% allocated · 0.00% left of 100%")
})

test("the draft survives a reload, with the current quantities", async () => {
  const { set, unmount } = await openAdvice()
  await set("INFY", "42")
  unmount()
  const savedDraft = sessionStorage.getItem("tarazu.advice") ?? ""
  draft.reset()
  sessionStorage.setItem("tarazu.advice", savedDraft)
  draft.restore()
  const [infy, ...others] = ashaHoldings.holdings
  answer("get", byCode, { ...ashaHoldings, holdings: [{ ...infy!, quantity: 41 }, ...others] })

  await showApp("/home/advice", { role: "ADMIN" })

  expect(targetOf("INFY")).toHaveValue("42.00%")
  expect(codeField()).toHaveValue("C1007")
  expect(await screen.findByRole("cell", { name: "41" })).toBeVisible()
})

test("another person who signs in here does not find the draft", async () => {
  const { set, unmount } = await openAdvice()
  await set("INFY", "42")
  unmount()
  answer("get", "/auth/verify-token", { role: "ADMIN", name: "Ravi", email: "ravi@example.in" })

  await showApp("/home/advice", { role: "ADMIN" })

  await waitFor(() => expect(codeField()).toHaveValue(""))
  expect(draft.get().rows).toHaveLength(0)
})

test("on a phone a row is two lines with its target and Auto", async () => {
  setScreenWidth(390)
  await openAdvice()

  const list = screen.getByRole("list", { name: "Advice" })
  const first = within(within(list).getAllByRole("listitem")[0]!)
  expect(first.getByText("INFY")).toBeVisible()
  expect(first.getByText("× 40")).toBeVisible()
  expect(first.getByText(/60\.00% now/)).toBeVisible()
  expect(first.getByLabelText("Target Allocation of INFY")).toBeVisible()
})
