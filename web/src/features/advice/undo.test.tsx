import { screen, waitFor } from "@testing-library/react"
import { describe, expect, test } from "vitest"
import { ashaRebalance } from "@/testing/advice-rows"
import { autoOf, codeField, openAdvice, targetOf } from "@/testing/advice-screen"
import { answer, answerWith } from "@/testing/server"
import { draft } from "./draft"

const undo = "{Control>}z{/Control}"
const redo = "{Control>}{Shift>}Z{/Shift}{/Control}"
const investment = () => screen.getByLabelText("Investment Value")
const mode = (name: string) => screen.getByRole("button", { name })

describe("Ctrl Z and Ctrl Shift Z", () => {
  test("go back and forth over targets, Auto, rows, Investment Value and mode", async () => {
    answer("delete", "/instruments/remove", null)
    answer("post", "/instruments/add", { ltp: 3000 })
    const { set, user } = await openAdvice()
    await set("INFY", "42")
    await user.click(autoOf("INFY"))
    await user.click(screen.getByRole("button", { name: "Remove TCS" }))
    await user.refill(investment(), "250000")
    await user.click(mode("Exits only"))

    await user.keyboard(undo)
    expect(mode("Full rebalance")).toHaveAttribute("aria-pressed", "true")
    expect(investment()).toHaveValue("₹2,50,000")
    await user.keyboard(undo)
    expect(investment()).toHaveValue("₹1,00,000")
    expect(screen.queryByRole("button", { name: "Follow live value" })).toBeNull()
    await user.keyboard(undo + undo)
    expect(targetOf("TCS")).toBeVisible()
    expect(targetOf("INFY")).toHaveValue("42.00%")

    await user.keyboard(redo + redo + redo + redo + redo)
    expect(autoOf("INFY")).toBeChecked()
    expect(screen.queryByLabelText("Target Allocation of TCS")).toBeNull()
    expect(investment()).toHaveValue("₹2,50,000")
    expect(mode("Exits only")).toHaveAttribute("aria-pressed", "true")
    expect(codeField()).toHaveValue("C1007")
  })

  test("a new change ends what could be made again", async () => {
    const { set, user } = await openAdvice()
    await set("INFY", "42")
    await user.keyboard(undo)
    await set("TCS", "7")

    await user.keyboard(redo)

    expect(targetOf("INFY")).toHaveValue("")
    expect(targetOf("TCS")).toHaveValue("7.00%")
  })

  test("a target typed and taken back by hand is no step", async () => {
    const { set, user } = await openAdvice()
    await set("INFY", "42")
    await set("TCS", "7")
    await user.clear(targetOf("TCS"))
    await user.keyboard("{Enter}" + undo)

    expect(targetOf("TCS")).toHaveValue("7.00%")
    await user.keyboard(undo)
    expect(targetOf("TCS")).toHaveValue("")
    expect(targetOf("INFY")).toHaveValue("42.00%")
  })
})

describe("the type of rebalance", () => {
  test("raising cash needs its amount, and both go to the server", async () => {
    const calls = answerWith("post", "/admin/advice/rebalance-portfolio", ashaRebalance)
    const { set, user, router } = await openAdvice()
    await set("INFY", "50")
    await user.click(mode("Raise cash"))
    expect(screen.getByText(/^Only sells, the stocks furthest above target first/)).toBeVisible()

    await user.click(screen.getByRole("button", { name: "Rebalance Portfolio" }))
    expect(await screen.findByText("Enter the amount to raise: more than ₹0.")).toBeVisible()
    await user.fill(screen.getByLabelText("Amount to raise"), "30000")
    await user.click(screen.getByRole("button", { name: "Rebalance Portfolio" }))

    await waitFor(() => expect(router.state.location.pathname).toBe("/home/advice-rebalance"))
    await waitFor(() => expect(calls).toHaveLength(1))
    expect(calls[0]?.body).toMatchObject({ options: { mode: "RAISE_CASH", raiseAmount: 30_000 } })
  })

  test("exits only needs a holding with a target of 0%", async () => {
    const calls = answerWith("post", "/admin/advice/rebalance-portfolio", ashaRebalance)
    const { set, user, router } = await openAdvice()
    await set("INFY", "50")
    await user.click(mode("Exits only"))

    await user.click(screen.getByRole("button", { name: "Rebalance Portfolio" }))
    expect(await screen.findByText(/set a target of 0% for each stock to be sold/)).toBeVisible()
    await set("TCS", "0")
    await user.click(screen.getByRole("button", { name: "Rebalance Portfolio" }))

    await waitFor(() => expect(router.state.location.pathname).toBe("/home/advice-rebalance"))
    await waitFor(() => expect(calls).toHaveLength(1))
    expect(calls[0]?.body).toMatchObject({ options: { mode: "EXITS_ONLY" } })
  })

  test("an amount typed for another type is not sent", async () => {
    const calls = answerWith("post", "/admin/advice/rebalance-portfolio", ashaRebalance)
    const { set, user } = await openAdvice()
    await set("INFY", "50")
    await user.click(mode("Raise cash"))
    await user.fill(screen.getByLabelText("Amount to raise"), "30000")
    await user.click(mode("New money"))

    await user.click(screen.getByRole("button", { name: "Rebalance Portfolio" }))

    await waitFor(() => expect(calls).toHaveLength(1))
    expect((calls[0]?.body as { options: unknown }).options).toEqual({ mode: "NEW_MONEY" })
    expect(draft.get().raiseAmount).toBe(30_000)
  })
})
