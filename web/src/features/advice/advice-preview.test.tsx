import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, describe, expect, test } from "vitest"
import { draftForAsha, startAnew, openComputed } from "@/testing/advice-screen"
import { answer } from "@/testing/server"

const create = "/admin/advice/create"
const sent = { _id: "1", createdAt: "2026-11-20T10:01:00Z", status: "QUEUED" }

beforeEach(() => {
  startAnew()
  draftForAsha()
})
describe("the preview", () => {
  test("shows the client's own name, the totals, and only what is traded", async () => {
    await openComputed("/home/advice-preview")

    expect(screen.getByText("Asha Rao")).toBeVisible()
    expect(screen.getByText("Invested Value")).toBeVisible()
    expect(screen.getByRole("group", { name: "Total Stock" })).toHaveTextContent("2")
    expect(screen.getByRole("group", { name: "Total Buy" })).toHaveTextContent("₹39,000.00")
    expect(screen.getByRole("group", { name: "Total Sell" })).toHaveTextContent("₹49,500.00")
    expect(screen.getByRole("group", { name: "Total Investment Value" })).toHaveTextContent(
      "₹1,00,000.00",
    )
    expect(within(screen.getByRole("table")).queryByText("ITC")).not.toBeInTheDocument()
  })

  test("sends as the result does", async () => {
    const created = answer("post", create, sent)
    const { user, router, confirmSend } = await openComputed("/home/advice-preview")
    const dialog = within(await confirmSend())

    await user.click(dialog.getByRole("button", { name: "Send 2 orders" }))

    await waitFor(() => expect(router.state.location.pathname).toBe("/home/advice"))
    expect(created).toHaveLength(1)
  })

  test("shows the very trades of the result, without computing them again", async () => {
    const { user, asked } = await openComputed()

    await user.click(screen.getByRole("button", { name: "More" }))
    await user.click(await screen.findByRole("menuitem", { name: "Preview" }))

    expect(await screen.findByRole("group", { name: "Total Buy" })).toBeVisible()
    expect(asked).toHaveLength(1)
  })
})
