import { act, fireEvent, screen, waitFor, within } from "@testing-library/react"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { chooseClient } from "@/api/session"
import { adviceAnswered, ashaRebalance } from "@/testing/advice-rows"
import {
  byCode,
  codeField,
  draftForAsha,
  openAdvice,
  openComputed,
  targetOf,
} from "@/testing/advice-screen"
import { clientProfile, pageOf } from "@/testing/clients"
import { answer, answerWith, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"
import { headings } from "@/testing/tables"
import { toastMessages } from "@/testing/toasts"
import { toasts } from "@/ui/overlay/toast"
import { draft } from "./draft"

const shownToasts = () => toasts.get().map(({ kind, place, lasts }) => [kind, place, lasts])
const search = () => screen.getByLabelText("Search stock to add")

afterEach(() => void vi.useRealTimers())

describe("the form", () => {
  test("shows the client's name to read, and the heads of its table", async () => {
    await openAdvice()

    expect(screen.getByLabelText("Client name")).toHaveAttribute("readonly")
    expect(await headings()).toBe(
      "Stock | Quantity | LTP | Current Investment Amount | % Allocation | " +
        "Drift of Investment Value | Target Allocation | Auto | Product | Remove",
    )
    const cells = within(screen.getByRole("row", { name: /^INFY/ })).getAllByRole("cell")
    expect(cells[3]).toHaveTextContent("₹60,000.00")
    expect(cells[8]).toHaveTextContent("DELIVERY")
    expect(screen.getByRole("row", { name: /^CASH/ })).toHaveTextContent("₹10,000.00")
  })

  test("Rebalance Portfolio takes what was typed to the result", async () => {
    const calls = answerWith("post", "/admin/advice/rebalance-portfolio", ashaRebalance)
    const { set, user, router } = await openAdvice()
    await set("INFY", "50")

    await user.click(screen.getByRole("button", { name: "Rebalance Portfolio" }))

    await waitFor(() => expect(router.state.location.pathname).toBe("/home/advice-rebalance"))
    await waitFor(() => expect(calls).toHaveLength(1))
    expect(calls[0]?.body).toMatchObject({ targetHoldings: [{ allocationPercentage: 50 }] })
  })

  test("a target has two decimals, and no more is taken in", async () => {
    const { set } = await openAdvice()

    await set("INFY", "12.345")

    expect(targetOf("INFY")).toHaveValue("12.34%")
    expect(draft.get().rows[0]?.target).toBe(1234)
  })

  test("a stock that is added is for DELIVERY", async () => {
    answer("get", "/instruments/search", [
      { symbol: "WIPRO", exchange: "NSE", name: "Wipro Ltd.", isin: "I", instrumentToken: 9 },
    ])
    answer("post", "/instruments/add", { ltp: 250 })
    const { user } = await openAdvice()
    await user.type(search(), "wi")

    await user.click(await screen.findByRole("option", { name: /WIPRO/ }))

    await waitFor(() => expect(screen.getByRole("row", { name: /^WIPRO/ })).toBeVisible())
    expect(screen.getByRole("row", { name: /^WIPRO/ })).toHaveTextContent("DELIVERY")
  })

  test("a failed search shows no results and no message", async () => {
    const calls = refuse("get", "/instruments/search", 500, "Something went wrong")
    const { user } = await openAdvice()

    await user.type(search(), "wi")

    await waitFor(() => expect(calls).toHaveLength(1))
    expect(await screen.findByText("No stock found")).toBeVisible()
    expect(toasts.get()).toEqual([])
  })

  test("a stock that stays in the price feed is removed from the table, and the failure is only logged", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined)
    refuse("delete", "/instruments/remove", 500, "Something went wrong")
    const { user } = await openAdvice()

    await user.click(screen.getByRole("button", { name: "Remove INFY" }))

    await waitFor(() => expect(log).toHaveBeenCalled())
    expect(screen.queryByRole("row", { name: /^INFY/ })).toBeNull()
    expect(toasts.get().map((each) => each.kind)).toEqual(["info"])
  })

  test("the search waits 300 ms after the last key", async () => {
    const calls = answer("get", "/instruments/search", [])
    await openAdvice()
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    const type = (value: string) => fireEvent.change(search(), { target: { value } })
    const pass = (milliseconds: number) =>
      act(() => vi.advanceTimersByTimeAsync(milliseconds).then(() => undefined))

    type("in")
    await pass(299)
    type("inf")
    await pass(299)
    vi.useRealTimers()
    await new Promise((later) => setTimeout(later, 50))
    expect(calls).toHaveLength(0)

    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    type("infy")
    await pass(300)
    vi.useRealTimers()
    await waitFor(() => expect(calls.map((call) => call.search.get("query"))).toEqual(["infy"]))
  })

  test("an unknown code clears everything and shows an information message", async () => {
    const { user } = await openAdvice()
    refuse("get", byCode, 404, "No holdings found for C1009.")

    await user.type(codeField(), "{Backspace}9")

    expect(await screen.findByText("No holdings found for C1009.")).toBeVisible()
    expect(shownToasts()).toEqual([["info", "centre", 3000]])
    expect(screen.getByLabelText("Client name")).toHaveValue("")
    expect(screen.getByLabelText("Investment Value")).toHaveValue("")
    expect(draft.get().rows).toEqual([])
  })
})

describe("messages are shown at the top centre for three seconds", () => {
  beforeEach(draftForAsha)

  test("of a rebalance that fails", async () => {
    adviceAnswered()
    refuse("post", "/admin/advice/rebalance-portfolio", 500, "")

    await showApp("/home/advice-rebalance", { role: "ADMIN" })

    await waitFor(() => expect(shownToasts()).toEqual([["error", "centre", 3000]]))
    expect(toasts.get()[0]?.message).toBe("Rebalancing failed")
  })

  test("of a rebalance that the server answers with success false", async () => {
    adviceAnswered()
    answerWith("post", "/admin/advice/rebalance-portfolio", { success: false, message: "" })

    await showApp("/home/advice-rebalance", { role: "ADMIN" })

    await waitFor(() => expect(toastMessages()).toEqual(["Rebalancing failed"]))
  })

  test.each([
    ["that is sent", true, "Advice created successfully", "success"],
    ["that is not", false, "Failed to create advice.", "error"],
  ])("of an advice %s", async (_, success, message, kind) => {
    answerWith("post", "/admin/advice/create", {
      success,
      message: "",
      data: success ? { _id: "1", createdAt: "2026-11-20T10:01:00Z", status: "QUEUED" } : null,
    })
    const { user, confirmSend } = await openComputed()
    const dialog = within(await confirmSend())

    await user.click(dialog.getByRole("button", { name: "Send 2 orders" }))

    await waitFor(() => expect(shownToasts()).toEqual([[kind, "centre", 3000]]))
    expect(toasts.get()[0]?.message).toBe(message)
  })
})

test.each(["/home/advice-rebalance", "/home/advice-preview"])(
  "the table of %s scrolls above 450 pixels",
  async (address) => {
    draftForAsha()
    await openComputed(address)

    expect(screen.getByRole("region", { name: /, table$/ })).toHaveStyle({ maxHeight: "450px" })
  },
)

test("the advice history scrolls above 450 pixels", async () => {
  chooseClient("id-1", "C0001")
  signedIn("USER")
  answer("get", "/admin/clients/client/id-1/profile", clientProfile())
  const stocks = ashaRebalance.data.filter((row) => row.type !== "HOLD")
  const sent = { _id: "a", createdAt: "2026-11-20T10:01:00Z", rationale: "", stocks }
  const delivery = { status: "SENT", at: null, error: null }
  answer("get", "/admin/advice/clients/id-1", [{ ...sent, delivery }], pageOf(1, 200))

  await showApp("/home/client/advice-history", { role: "USER" })

  expect(await screen.findByRole("region", { name: "Advice history, table" })).toHaveStyle({
    maxHeight: "450px",
  })
})
