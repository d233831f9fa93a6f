import { fireEvent, screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { ashaRebalance, ashaStops } from "@/testing/advice-rows"
import { draftForAsha, openComputed } from "@/testing/advice-screen"
import { answerWith, refuse } from "@/testing/server"
import { draft } from "./draft"

const path = "/admin/advice/rebalances/:id/fewer-orders"
const chosenId = "0b0e0000-0000-7000-8000-0000000000bb"

beforeEach(() => {
  draftForAsha()
})

async function openStops() {
  const stored = answerWith("post", path, {
    ...ashaRebalance,
    data: ashaStops[4]!.data,
    summary: ashaStops[4]!.summary,
    rebalanceId: chosenId,
  })
  return { ...(await openComputed("/home/advice-rebalance", { stops: ashaStops })), stored }
}

const slider = () => screen.findByRole("slider", { name: "Fewer orders" })
const moveTo = async (stop: number) =>
  fireEvent.change(await slider(), { target: { value: String(stop) } })
const send = () => screen.getByRole("button", { name: "Send" })

test("each stop shows its orders, tracking error and charges; the first has all orders", async () => {
  await openStops()

  expect(await slider()).toHaveAttribute("aria-valuetext", "All 2 orders")
  const rows = within(screen.getByRole("table", { name: "Stops of Fewer orders" }))
    .getAllByRole("row")
    .map((row) => row.textContent)
  expect(rows[0]).toBe("Orders22111")
  expect(rows[1]).toMatch(/^Tracking error, bp112.50112.501,000.00/)
  expect(rows[2]).toMatch(/^Charges₹47₹47₹36/)
})

test("the chosen stop is shown at once, and sent under the id of its own rebalance", async () => {
  const created = answerWith("post", "/admin/advice/create", {})
  const { user, stored, confirmSend } = await openStops()
  await user.click(await screen.findByRole("button", { name: "Show details of INFY" }))

  const bar = await slider()
  // In one go: a stop that is rested on is stored.
  fireEvent.change(bar, { target: { value: "3" } })
  fireEvent.change(bar, { target: { value: "4" } })

  expect(
    screen.getByText("2 → 1 orders, +887.50 bp tracking error, charges ₹46.80 → ₹36.11"),
  ).toBeVisible()
  expect(screen.getByRole("group", { name: "Trades" })).toHaveTextContent("1of 3 stocks")
  expect(send()).toBeDisabled()
  await waitFor(() => expect(send()).toBeEnabled())
  expect(screen.getByRole("button", { name: "Hide details of INFY" })).toBeVisible()
  // The stop that was passed is not stored.
  expect(stored.map(({ body }) => body)).toEqual([{ stop: 4 }])
  const dialog = within(await confirmSend())
  await user.click(dialog.getByRole("button", { name: "Send 1 order" }))
  await waitFor(() => expect(created).toHaveLength(1))
  expect(created[0]!.body).toMatchObject({ rebalanceId: chosenId, totalStocks: 1 })
  expect(created[0]!.headers.get("Idempotency-Key")).toBe(chosenId)
})

test("going back and forth stores a stop once", async () => {
  const { stored } = await openStops()
  await moveTo(4)
  await waitFor(() => expect(stored).toHaveLength(1))

  await moveTo(0)

  expect(send()).toBeEnabled()
  expect(screen.getByRole("group", { name: "Trades" })).toHaveTextContent("2of 3 stocks")
  await moveTo(4)
  await waitFor(() => expect(send()).toBeEnabled())
  expect(stored).toHaveLength(1)
})

test("a stop that is refused goes back to all orders and says why", async () => {
  await openStops()
  refuse("post", path, 422, "This rebalance is no longer available. Rebalance again.")

  await moveTo(2)

  expect(
    await screen.findByText("This rebalance is no longer available. Rebalance again."),
  ).toBeVisible()
  expect(await slider()).toHaveValue("0")
  expect(send()).toBeEnabled()
})

test("other options start with all orders again", async () => {
  const { user, stored } = await openStops()
  await moveTo(4)
  await waitFor(() => expect(stored).toHaveLength(1))
  await user.click(screen.getByRole("button", { name: "Options" }))
  await user.type(screen.getByLabelText("Skip trades under"), "500")

  await user.click(screen.getByRole("button", { name: "Recompute" }))

  expect(await slider()).toHaveValue("0")
  expect(draft.get().stop).toBe(0)
})
