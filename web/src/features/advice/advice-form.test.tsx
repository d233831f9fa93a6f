import { act, screen, waitFor } from "@testing-library/react"
import { describe, expect, test } from "vitest"
import { session } from "@/api/session"
import { priceStore } from "@/live/prices"
import { adviceAnswered, ashaHoldings } from "@/testing/advice-rows"
import { autoOf, byCode, codeField, meter, openAdvice, targetOf } from "@/testing/advice-screen"
import { clientRow, pageOf } from "@/testing/clients"
import { answer, breakOff, hang, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { refusals } from "./targets"

describe("the client code", () => {
  test("loads its client automatically and fills the Investment Value with holdings and cash", async () => {
    const { holdings } = await openAdvice()

    expect(codeField()).toHaveValue("C1007")
    expect(screen.getByLabelText("Client name")).toHaveValue("Asha Rao")
    expect(screen.getByLabelText("Investment Value")).toHaveValue("₹1,00,000")
    expect(holdings.map((call) => call.path)).toEqual([
      "/api/v1/admin/advice/clients/by-code/C1007/holdings",
    ])
  })

  test("of a client with cash alone opens with the CASH row, from which the basket is bought", async () => {
    adviceAnswered()
    answer("get", byCode, { ...ashaHoldings, holdings: [], totalCurrentValue: 0, cash: 50_000 })
    const { user } = await showApp("/home/advice", { role: "ADMIN" })

    await user.fill(codeField(), "C1007")

    expect(await screen.findByRole("row", { name: /CASH/ })).toHaveTextContent("₹50,000.00")
    expect(screen.getByLabelText("Investment Value")).toHaveValue("₹50,000")
    expect(screen.getByLabelText("Target Allocation of CASH")).toBeEnabled()
  })

  test("that is no longer whole clears client, holdings and Investment Value", async () => {
    const { user } = await openAdvice()

    await user.type(codeField(), "{Backspace}")

    expect(codeField()).toHaveValue("C100")
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

    await user.fill(codeField(), "C1007")

    expect(await screen.findByText(words)).toBeVisible()
    expect(screen.getByText("No Data Available")).toBeVisible()
  })

  test("without a network says so, and may be tried again", async () => {
    adviceAnswered()
    breakOff("get", byCode)
    const { user } = await showApp("/home/advice", { role: "ADMIN" })
    await user.fill(codeField(), "C1007")
    expect(
      await screen.findByText("Network error. Check your connection and try again."),
    ).toBeVisible()
    answer("get", byCode, ashaHoldings)

    await user.click(screen.getByRole("button", { name: "Try again" }))

    expect(await screen.findByLabelText("Target Allocation of TCS")).toBeVisible()
  })

  test("a code without holdings leads to the client's portfolio", async () => {
    adviceAnswered()
    refuse("get", byCode, 404, "No.")
    answer("get", "/admin/clients", [], pageOf(0))
    const { user, router } = await showApp("/home/advice", { role: "ADMIN" })
    await user.fill(codeField(), "C1007")
    await user.click(await screen.findByRole("button", { name: "Open the portfolio" }))
    expect(await screen.findByText("No client has the code C1007.")).toBeVisible()

    for (const path of ["profile", "portfolio", "holdings"])
      hang("get", `/admin/clients/client/id-7/${path}`)
    answer("get", "/admin/clients", [clientRow({ _id: "id-7", clientId: "C1007" })], pageOf(1))
    await user.click(screen.getByRole("button", { name: "Open the portfolio" }))

    await waitFor(() => expect(router.state.location.pathname).toBe("/home/client/portfolio"))
    expect(session.get("clientId")).toBe("id-7")
  })

  test("of an expired session leads to the log-in", async () => {
    adviceAnswered()
    refuse("get", byCode, 401, "Session expired.")
    const { user, router } = await showApp("/home/advice", { role: "ADMIN" })

    await user.fill(codeField(), "C1007")

    expect(await screen.findByText("Session expired. Please log in again.")).toBeVisible()
    await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
  })

  test("comes with the navigation, once", async () => {
    adviceAnswered()
    const { user } = await showApp("/home/advice", { role: "ADMIN", state: { username: "C1007" } })

    expect(await screen.findByLabelText("Client name")).toHaveValue("Asha Rao")
    await user.type(codeField(), "{Backspace}")
    expect(codeField()).toHaveValue("C100")
  })

  test("shows that it loads", async () => {
    adviceAnswered()
    hang("get", byCode)
    const { user } = await showApp("/home/advice", { role: "ADMIN" })

    await user.fill(codeField(), "C1007")

    expect(screen.getByRole("status", { name: "Loading client" })).toBeVisible()
  })
})

describe("the Investment Value", () => {
  const investment = () => screen.getByLabelText("Investment Value")

  test("follows the prices until one is typed, and again on request", async () => {
    const { user } = await openAdvice()
    act(() => priceStore.collect({ "408065": 1600 }))
    await waitFor(() => expect(investment()).toHaveValue("₹1,04,000"))

    await user.refill(investment(), "250000")
    act(() => priceStore.collect({ "408065": 1700 }))
    await screen.findByText("₹1,08,000.00")
    expect(investment()).toHaveValue("₹2,50,000")

    await user.click(screen.getByRole("button", { name: "Follow live value" }))
    expect(investment()).toHaveValue("₹1,08,000")
    expect(screen.queryByRole("button", { name: "Follow live value" })).toBeNull()
  })

  test("counts holdings that were removed from the table", async () => {
    answer("delete", "/instruments/remove", null)
    const { user } = await openAdvice()

    await user.click(screen.getByRole("button", { name: "Remove TCS" }))
    act(() => priceStore.collect({ "408065": 1600 }))

    await waitFor(() => expect(investment()).toHaveValue("₹1,04,000"))
  })
})

describe("a target", () => {
  test("is counted by the meter, in words too", async () => {
    const { set } = await openAdvice()

    await set("INFY", "60.25")
    await set("TCS", "33.25")

    expect(targetOf("INFY")).toHaveValue("60.25%")
    expect(meter()).toHaveAttribute("aria-valuetext", "93.50% allocated · 6.50% left of 100%")
  })

  test("over 100% in total is refused and the last valid one is restored", async () => {
    const { set } = await openAdvice()
    await set("INFY", "60")

    await set("TCS", "40.01")

    expect(await screen.findByText(refusals.over100)).toBeVisible()
    expect(targetOf("TCS")).toHaveValue("")
    expect(meter()).toHaveAttribute("aria-valuenow", "60")
  })

  test("without an Investment Value is refused", async () => {
    const { set, user } = await openAdvice()
    await user.clear(screen.getByLabelText("Investment Value"))

    await set("INFY", "10")

    expect(
      await screen.findByText(
        "Please fill in the Investment Value before setting Target Allocation.",
      ),
    ).toBeVisible()
    expect(targetOf("INFY")).toHaveValue("")
  })

  test("of CASH above the cash there is is refused", async () => {
    const { set } = await openAdvice()

    await set("CASH", "10.01")

    expect(
      await screen.findByText(
        "For CASH, % Allocation must be greater than or equal to Target Allocation.",
      ),
    ).toBeVisible()
    await set("CASH", "10")
    expect(targetOf("CASH")).toHaveValue("10.00%")
  })
})

test("the number of stocks without a target is shown once a target is set", async () => {
  const { set } = await openAdvice()
  expect(screen.queryByText(/without a target/)).not.toBeInTheDocument()

  await set("INFY", "60")

  expect(screen.getByText("1 stock without a target will not be traded")).toBeVisible()
})

describe("Auto", () => {
  test("copies the live share, and restores the earlier target", async () => {
    const { set, user } = await openAdvice()
    await user.refill(screen.getByLabelText("Investment Value"), "100000")
    await set("INFY", "25")
    act(() => priceStore.collect({ "408065": 1600 }))
    await waitFor(() => expect(screen.getByText("₹64,000.00")).toBeVisible())

    await user.click(autoOf("INFY"))
    expect(autoOf("INFY")).toBeChecked()
    expect(targetOf("INFY")).toHaveValue("64.00%")

    await user.click(autoOf("INFY"))
    expect(autoOf("INFY")).not.toBeChecked()
    expect(targetOf("INFY")).toHaveValue("25.00%")
  })

  test("goes off when the target is edited by hand", async () => {
    const { set, user } = await openAdvice()
    await user.click(autoOf("INFY"))

    await set("INFY", "61")

    expect(autoOf("INFY")).not.toBeChecked()
  })

  test("stays off when the copy is refused", async () => {
    const { set, user } = await openAdvice()
    await set("TCS", "50")

    await user.click(autoOf("INFY"))

    expect(await screen.findByText(refusals.over100)).toBeVisible()
    expect(autoOf("INFY")).not.toBeChecked()
    expect(targetOf("INFY")).toHaveValue("")
  })
})
