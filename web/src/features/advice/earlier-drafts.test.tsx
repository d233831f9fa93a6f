import { fireEvent, screen, waitFor, within } from "@testing-library/react"
import type { JsonBodyType } from "msw"
import { describe, expect, test } from "vitest"
import { ashaHoldings, ashaRebalance } from "@/testing/advice-rows"
import { autoOf, byCode, codeField, meter, openAdvice, targetOf } from "@/testing/advice-screen"
import { answer, answerWith } from "@/testing/server"
import { showApp } from "@/testing/show"
import { draft } from "./draft"

const ravi = {
  ...ashaHoldings,
  holdings: ashaHoldings.holdings.slice(1),
  user: { _id: "id-of-ravi", name: "Ravi Shah" },
}
const investment = () => screen.getByLabelText("Investment Value")
const notice = () => screen.findByText(/^There is a saved draft from \d\d:\d\d\.$/)

/** A draft for Asha with a target, an Investment Value and an option; then Ravi's code. */
async function leaveAsha() {
  const app = await openAdvice()
  await app.set("INFY", "42")
  await app.user.fill(investment(), "250000")
  draft.edit({ options: { bandPercentage: 0.5 } })
  const type = async (code: string, holdings: JsonBodyType) => {
    answer("get", byCode, holdings)
    await app.user.clear(codeField())
    await app.user.type(codeField(), code)
  }
  await type("C1008", ravi)
  await waitFor(() => expect(screen.getByLabelText("Client name")).toHaveValue("Ravi Shah"))
  return { ...app, type }
}

async function backToAsha({ type }: Awaited<ReturnType<typeof leaveAsha>>) {
  await type("C1007", ashaHoldings)
  await waitFor(() => expect(screen.getByLabelText("Client name")).toHaveValue("Asha Rao"))
}

describe("the draft of a client whose code was changed", () => {
  test("is offered when the code comes back, with targets, Investment Value and options", async () => {
    const app = await leaveAsha()
    expect(screen.queryByText(/saved draft/)).toBeNull()
    expect(draft.get().options).toEqual({})

    await backToAsha(app)
    expect(await notice()).toBeVisible()
    expect(targetOf("INFY")).toHaveValue("")
    await app.user.click(screen.getByRole("button", { name: "Restore" }))

    expect(targetOf("INFY")).toHaveValue("42.00%")
    expect(investment()).toHaveValue("₹2,50,000")
    expect(draft.get().options).toEqual({ bandPercentage: 0.5 })
    expect(screen.queryByText(/saved draft/)).toBeNull()
  })

  test("is restored with the current quantities", async () => {
    const app = await leaveAsha()
    const [infy, ...others] = ashaHoldings.holdings
    await app.type("C1007", { ...ashaHoldings, holdings: [{ ...infy!, quantity: 41 }, ...others] })
    await notice()

    await app.user.click(screen.getByRole("button", { name: "Restore" }))

    expect(await screen.findByRole("cell", { name: "41" })).toBeVisible()
    expect(targetOf("INFY")).toHaveValue("42.00%")
  })

  test("is swapped with the current draft", async () => {
    const app = await leaveAsha()
    await backToAsha(app)
    await app.set("TCS", "7")

    await app.user.click(screen.getByRole("button", { name: "Restore" }))
    expect(targetOf("TCS")).toHaveValue("")
    await app.user.click(screen.getByRole("button", { name: "Restore" }))

    expect(targetOf("TCS")).toHaveValue("7.00%")
  })

  test("is discarded on request", async () => {
    const app = await leaveAsha()
    await backToAsha(app)

    await app.user.click(screen.getByRole("button", { name: "Discard" }))

    expect(screen.queryByText(/saved draft/)).toBeNull()
    expect(draft.get().earlier).toEqual({})
  })

  test("survives a reload", async () => {
    const app = await leaveAsha()
    app.unmount()
    const stored = sessionStorage.getItem("tarazu.advice") ?? ""
    draft.reset()
    sessionStorage.setItem("tarazu.advice", stored)
    draft.restore()
    const { user } = await showApp("/home/advice", { role: "ADMIN" })

    await backToAsha({
      ...app,
      type: (code, holdings) => {
        answer("get", byCode, holdings)
        return user.clear(codeField()).then(() => user.type(codeField(), code))
      },
    })

    expect(await notice()).toBeVisible()
  })

  test("is not there for another person", async () => {
    const app = await leaveAsha()
    app.unmount()
    answer("get", "/auth/verify-token", { role: "ADMIN", name: "Ravi", email: "ravi@example.in" })

    await showApp("/home/advice", { role: "ADMIN" })

    await waitFor(() => expect(codeField()).toHaveValue(""))
    expect(sessionStorage.getItem("tarazu.advice")).not.toContain("INFY")
  })

  test("is removed at log-out", async () => {
    answer("post", "/auth/logout", null)
    const { user, router } = await leaveAsha()

    await user.click(screen.getByRole("button", { name: "Logout" }))

    await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
    expect(sessionStorage.getItem("tarazu.advice") ?? "").not.toMatch(/INFY|C1007|250000/)
    expect(draft.get()).toMatchObject({ username: "", rows: [], earlier: {} })
  })

  test("stays when the advice of the other client is sent", async () => {
    answerWith("post", "/admin/advice/rebalance-portfolio", ashaRebalance)
    answer("post", "/admin/advice/create", {
      _id: "1",
      createdAt: "2026-11-20T10:01:00Z",
      status: "QUEUED",
    })
    const { set, user } = await leaveAsha()
    await set("TCS", "30")
    await user.click(screen.getByRole("button", { name: "Rebalance Portfolio" }))
    await waitFor(() => expect(screen.getByRole("button", { name: "Send" })).toBeEnabled())
    await user.click(screen.getByRole("button", { name: "Send" }))
    const dialog = within(await screen.findByRole("dialog", { name: "Send advice" }))

    await user.click(dialog.getByRole("button", { name: "Send 2 orders" }))

    await waitFor(() => expect(draft.get().client).toBeNull())
    expect(Object.keys(draft.get().earlier)).toEqual(["C1007"])
  })
})

test("a client that was only viewed leaves no draft", async () => {
  const { user } = await openAdvice()

  await user.type(codeField(), "{Backspace}7")

  expect(await screen.findByLabelText("Target Allocation of INFY")).toBeVisible()
  expect(screen.queryByText(/saved draft/)).toBeNull()
})

describe("Ctrl Z", () => {
  const undo = "{Control>}z{/Control}"

  test("undoes targets, Auto and rows, one after the other, and then does nothing", async () => {
    answer("delete", "/instruments/remove", null)
    const watched = answer("post", "/instruments/add", { ltp: 3000 })
    const { set, user } = await openAdvice()
    await set("INFY", "42")
    await user.click(autoOf("INFY"))
    await user.click(screen.getByRole("button", { name: "Remove TCS" }))

    await user.keyboard(undo)
    expect(targetOf("TCS")).toBeVisible()
    expect(watched).toHaveLength(1)
    await user.keyboard(undo)
    expect(autoOf("INFY")).not.toBeChecked()
    expect(targetOf("INFY")).toHaveValue("42.00%")
    await user.keyboard(undo)
    expect(meter()).toHaveAttribute("aria-valuenow", "0")
    await user.keyboard(undo)

    expect(codeField()).toHaveValue("C1007")
    expect(draft.get().rows).toHaveLength(3)
  })

  test("undoes the typing before it undoes a target", async () => {
    const { set, user } = await openAdvice()
    await set("INFY", "42")
    await user.type(targetOf("INFY"), "7")

    await user.keyboard(undo)

    expect(targetOf("INFY")).toHaveValue("42.00%")
    expect(draft.get().rows[0]?.target).toBe(4200)
  })

  test("leaves the client code as it is, by the browser's own undo too", async () => {
    await openAdvice()

    fireEvent.input(codeField(), { target: { value: "" }, inputType: "historyUndo" })

    expect(codeField()).toHaveValue("C1007")
    expect(screen.getByLabelText("Client name")).toHaveValue("Asha Rao")
  })
})
