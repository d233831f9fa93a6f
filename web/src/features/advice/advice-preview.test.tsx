import { screen, waitFor, within } from "@testing-library/react"
import { beforeEach, describe, expect, test } from "vitest"
import { draftForAsha, openComputed } from "@/testing/advice-screen"
import { answer } from "@/testing/server"

const create = "/admin/advice/create"
const sent = { _id: "1", createdAt: "2026-11-20T10:01:00Z", status: "QUEUED" }

beforeEach(() => {
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
    const { user, calls } = await openComputed()

    await user.choose("More", "Preview")

    expect(await screen.findByRole("group", { name: "Total Buy" })).toBeVisible()
    expect(calls).toHaveLength(1)
  })

  test("the printed list has the registration, the trades, and the warning, and is marked as simulated", async () => {
    await openComputed("/home/advice-preview")

    const sheet = await waitFor(() => {
      const article = document.querySelector<HTMLElement>("article[aria-hidden='true']")
      if (!article?.textContent.includes("Meridian Research")) throw new Error("not drawn yet")
      return article
    })
    for (const text of [
      "Kavita Rao, SEBI Research Analyst INH000012345",
      "Registration perpetual, valid from 14 Feb 2024",
      "Practice: simulated prices, not investment advice",
      "Trades for Asha Rao (C1007)",
      "prices: Simulated, 20/11/2026 15:29 IST · 2 orders",
      "To sell ₹10,500.00 · to buy ₹9,000.00 · cash after ₹11,453.20 · charges about ₹46.80",
      "No holding, no conflict, no compensation.",
      "Investments are subject to market risks.",
      "Registration assures no returns. Orders are placed by the client alone.",
    ])
      expect(sheet).toHaveTextContent(text)
    const rows = [...sheet.querySelectorAll("tbody tr")].map((row) => row.textContent)
    expect(rows).toEqual([
      expect.stringContaining("SELLINFYNSE71,500.00₹10,500.00"),
      expect.stringContaining("BUYTCSNSE33,000.00₹9,000.00"),
    ])
  })
})
