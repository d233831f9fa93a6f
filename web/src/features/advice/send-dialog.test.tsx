import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, describe, expect, test, vi, afterEach } from "vitest"
import { adviceAnswered, asha, ashaRebalance } from "@/testing/advice-rows"
import { draftForAsha, openComputed } from "@/testing/advice-screen"
import { answer, answerWith, breakOff, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { draft } from "./draft"

const rebalance = "/admin/advice/rebalance-portfolio"
const create = "/admin/advice/create"
const sent = { _id: "1", createdAt: "2026-11-20T10:01:00Z", status: "QUEUED" }

const check = (id: string, level: string, text: string) => ({
  id,
  level,
  text,
  fix: { label: `Mend ${id}`, to: `/home/settings?section=${id}` },
})

beforeEach(() => {
  draftForAsha()
})
afterEach(() => {
  vi.useRealTimers()
})

describe("Send", () => {
  test("asks first, repeating client, total and count", async () => {
    const { confirmSend } = await openComputed()

    const dialog = within(await confirmSend())

    expect(dialog.getByText("Asha Rao (C1007)")).toBeVisible()
    expect(dialog.getByText("₹1,00,000.00")).toBeVisible()
    expect(dialog.getByText("2: 1 SELL, 1 BUY")).toBeVisible()
  })

  test("sends what is shown, once, however often it is pressed", async () => {
    const created = answer("post", create, sent)
    const { user, router, confirmSend } = await openComputed()
    const dialog = within(await confirmSend())
    await user.fill(dialog.getByLabelText("Rationale"), "Back to the model.")

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
    expect(await screen.findByLabelText("Client code")).toHaveValue("")
  })

  test("that is refused says why and keeps everything", async () => {
    const why = "INFY: the price moved 3.10 % since the rebalance. Rebalance again."
    refuse("post", create, 422, why)
    const { user, confirmSend } = await openComputed()
    const dialog = within(await confirmSend())

    await user.click(dialog.getByRole("button", { name: "Send 2 orders" }))

    expect(await screen.findByText("Failed to create advice.")).toBeVisible()
    expect(screen.getByText(why)).toBeVisible()
    expect(draft.get().sending).toBeNull()
    expect(draft.get().rows).toHaveLength(3)
    expect(dialog.getByRole("button", { name: "Send 2 orders" })).toBeEnabled()
  })

  test("is disabled while a check blocks it, with a way to fix each", async () => {
    const { user, router, confirmSend } = await openComputed()
    await confirmSend()
    await user.click(screen.getByRole("button", { name: "Cancel" }))
    const calls = answer("post", "/admin/advice/preflight", [
      check("disclosures", "BLOCK", "The firm's disclosure questions were never answered."),
      check("registration", "OK", "Meridian Research, INH000012345."),
    ])

    await user.click(screen.getByRole("button", { name: "Send" }))
    const dialog = within(await screen.findByRole("dialog", { name: "Send advice" }))

    const list = within(await dialog.findByRole("region", { name: "Before you send" }))
    expect(list.getByText("The firm's disclosure questions were never answered.")).toBeVisible()
    expect(list.getByText("1 check is in order")).toBeVisible()
    expect(list.queryByRole("checkbox")).not.toBeInTheDocument()
    expect(dialog.getByRole("button", { name: "Send 2 orders" })).toBeDisabled()
    expect(calls[0]?.body).toMatchObject({ userId: asha._id, rationale: "" })
    await user.click(list.getByRole("link", { name: "Mend disclosures" }))
    expect(router.state.location.href).toBe("/home/settings?section=disclosures")
  })

  test("needs one tick for its warnings, and sends which were read", async () => {
    const created = answer("post", create, sent)
    const { user, confirmSend } = await openComputed()
    await confirmSend()
    await user.click(screen.getByRole("button", { name: "Cancel" }))
    answer("post", "/admin/advice/preflight", [
      check("mail", "WARN", "No mail server is set up."),
      check("price_source", "WARN", "Practice: simulated prices, not investment advice."),
    ])
    await user.click(screen.getByRole("button", { name: "Send" }))
    const dialog = within(await screen.findByRole("dialog", { name: "Send advice" }))
    const tick = await dialog.findByRole("checkbox", { name: "I have read these" })
    expect(dialog.getByRole("button", { name: "Send 2 orders" })).toBeDisabled()

    await user.click(tick)
    await user.click(dialog.getByRole("button", { name: "Send 2 orders" }))

    await waitFor(() => expect(created).toHaveLength(1))
    expect(created[0]?.body).toMatchObject({ acknowledged: ["mail", "price_source"] })
  })

  test("offers the firm's rationale texts", async () => {
    const texts = [{ name: "Review", text: "Monthly review of the model." }]
    const { user, confirmSend } = await openComputed()
    await confirmSend()
    await user.click(screen.getByRole("button", { name: "Cancel" }))
    answer("get", "/settings/firm", { rationales: texts })
    const dialog = within(await confirmSend())

    await user.selectOptions(await dialog.findByLabelText("Rationale text"), "Review")

    expect(dialog.getByLabelText("Rationale")).toHaveValue("Monthly review of the model.")
  })

  test("that got no answer can only be sent again unchanged, under its key, even after a reload", async () => {
    breakOff("post", create)
    const { user, confirmSend, unmount } = await openComputed()
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
    const { user, router, confirmSend } = await openComputed()
    const dialog = within(await confirmSend())
    await user.fill(dialog.getByLabelText("Rationale"), "Because.")

    await user.click(dialog.getByRole("button", { name: "Send 2 orders" }))

    await waitFor(() => expect(router.state.location.pathname).toBe("/auth/login"))
    expect(draft.get()).toMatchObject({ username: "C1007", rationale: "Because.", sending: null })
    expect(draft.get().rows.map((row) => row.target)).toEqual([5000, 4000, 1000])
  })

  test("with prices older than a minute offers to recompute", async () => {
    const { user, calls, confirmSend } = await openComputed()
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 61_000)
    vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] })

    const dialog = within(await confirmSend())
    expect(
      await dialog.findByText(/were computed 1 minute ago/, {}, { timeout: 3000 }),
    ).toBeVisible()
    await user.click(dialog.getByRole("button", { name: "Recompute" }))

    await waitFor(() => expect(calls).toHaveLength(2))
    expect(screen.queryByRole("dialog")).not.toBeInTheDocument()
  })

  test("with fresh prices does not mention their age", async () => {
    const { confirmSend } = await openComputed()

    const dialog = within(await confirmSend())

    expect(dialog.queryByRole("button", { name: "Recompute" })).not.toBeInTheDocument()
  })

  test("is disabled when every row is HOLD", async () => {
    adviceAnswered()
    const holds = ashaRebalance.data.filter((row) => row.type === "HOLD")
    answerWith("post", rebalance, { ...ashaRebalance, data: holds })

    await showApp("/home/advice-rebalance", { role: "ADMIN" })

    await screen.findByRole("group", { name: "Trades" })
    expect(screen.getByRole("button", { name: "Send" })).toBeDisabled()
  })
})
