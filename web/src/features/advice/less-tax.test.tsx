import { fireEvent, screen, waitFor, within } from "@testing-library/react"
import { beforeEach, expect, test } from "vitest"
import { ashaRebalance, ashaStops, ashaTaxStops } from "@/testing/advice-rows"
import { draftForAsha, openComputed } from "@/testing/advice-screen"
import { answerWith, refuse } from "@/testing/server"
import { draft } from "./draft"

const path = "/admin/advice/rebalances/:id/less-tax"
const chosenId = "0b0e0000-0000-7000-8000-0000000000cc"

beforeEach(() => {
  draftForAsha()
})

async function openStops(answer: object = {}) {
  const stored = answerWith("post", path, {
    ...ashaRebalance,
    data: ashaTaxStops[4]!.data,
    summary: ashaTaxStops[4]!.summary,
    rebalanceId: chosenId,
  })
  const taxStops = { stops: ashaTaxStops, leftOut: [], reasonText: "", ...answer }
  return {
    ...(await openComputed("/home/advice-rebalance", { stops: ashaStops, taxStops })),
    stored,
  }
}

const slider = (name = "Less tax") => screen.findByRole("slider", { name })
const moveTo = async (stop: number, name?: string) =>
  fireEvent.change(await slider(name), { target: { value: String(stop) } })
const send = () => screen.getByRole("button", { name: "Send" })

test("each stop shows its tax, tracking error and orders; the first is the closest", async () => {
  await openStops()

  expect(await slider()).toHaveAttribute("aria-valuetext", "Closest to the targets: tax ₹3,956.00")
  const rows = within(screen.getByRole("table", { name: "Stops of Less tax" }))
    .getAllByRole("row")
    .map((row) => row.textContent)
  expect(rows[0]).toMatch(/^Tax₹/)
  expect(rows[1]).toMatch(/^Tracking error, bp112.50112.501,000.00/)
  expect(rows[2]).toBe("Orders22111")
})

test("the chosen stop is shown at once, and sent under the id of its own rebalance", async () => {
  const created = answerWith("post", "/admin/advice/create", {})
  const { user, stored, confirmSend } = await openStops()

  const bar = await slider()
  // In one go: a stop that is rested on is stored.
  fireEvent.change(bar, { target: { value: "3" } })
  fireEvent.change(bar, { target: { value: "4" } })

  expect(
    screen.getByText("Tax ₹3,956.00 → ₹0.00, +887.50 bp tracking error, 2 → 1 orders"),
  ).toBeVisible()
  expect(send()).toBeDisabled()
  await waitFor(() => expect(send()).toBeEnabled())
  // The stop that was passed is not stored.
  expect(stored.map(({ body }) => body)).toEqual([{ stop: 4 }])
  const dialog = within(await confirmSend())
  await user.click(dialog.getByRole("button", { name: "Send 1 order" }))
  await waitFor(() => expect(created).toHaveLength(1))
  expect(created[0]!.body).toMatchObject({ rebalanceId: chosenId, totalStocks: 1 })
})

test("one slider at a time: less tax takes all orders, and fewer orders takes all tax", async () => {
  await openStops()

  await moveTo(4)
  await moveTo(2, "Fewer orders")

  expect(await slider()).toHaveValue("0")
  expect(draft.get()).toMatchObject({ stop: 2, taxStop: 0 })
  await moveTo(3)
  expect(await slider("Fewer orders")).toHaveValue("0")
  expect(draft.get()).toMatchObject({ stop: 0, taxStop: 3 })
})

test("without known lots the reason is shown and no slider", async () => {
  await openStops({ stops: [], reasonText: "The tax is not known: the rates changed." })

  expect(await screen.findByText("The tax is not known: the rates changed.")).toBeVisible()
  expect(screen.queryByRole("slider", { name: "Less tax" })).not.toBeInTheDocument()
})

test("stocks whose lots are not known are named", async () => {
  await openStops({ leftOut: ["TCS", "ITC"] })

  expect(await screen.findByText(/^Lots not known: TCS, ITC\./)).toBeVisible()
})

test("a rebalance whose sales add no tax has no slider", async () => {
  await openStops({ stops: ashaTaxStops.map((stop) => ({ ...stop, tax: 0 })) })
  await slider("Fewer orders")

  expect(screen.queryByRole("slider", { name: "Less tax" })).not.toBeInTheDocument()
})

test("a stop that is refused goes back to the closest one and says why", async () => {
  await openStops()
  refuse("post", path, 422, "This rebalance is no longer available. Rebalance again.")

  await moveTo(2)

  expect(
    await screen.findByText("This rebalance is no longer available. Rebalance again."),
  ).toBeVisible()
  expect(await slider()).toHaveValue("0")
  expect(send()).toBeEnabled()
})
