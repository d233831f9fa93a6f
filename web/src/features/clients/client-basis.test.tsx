import { screen, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { clientRow, pageOf } from "@/testing/clients"
import { answer } from "@/testing/server"
import { showApp } from "@/testing/show"
import { signedIn } from "@/testing/signed-in"

test("a gain without a basis is since purchase, and a client of whom nothing was read has dashes", async () => {
  const unread = {
    totalPortfolio: null,
    totalInvestment: null,
    netPnL: null,
    netPnLPercentage: null,
    NetCashAmount: null,
  }
  answer(
    "get",
    "/admin/clients",
    [
      clientRow({ isSincePurchase: true, totalInvestment: null }),
      clientRow({ ...unread, _id: "id-2", clientId: "C0002" }),
    ],
    pageOf(2),
  )

  signedIn("ADMIN")
  await showApp("/home/client/details", { role: "ADMIN" })

  const cells = async (code: RegExp) =>
    within(await screen.findByRole("row", { name: code }))
      .getAllByRole("cell")
      .slice(2, 6)
      .map((cell) => cell.textContent)
  expect(await cells(/C0001/)).toEqual([
    "₹56,95,524.30",
    "-",
    "+₹7,10,524.30+14.25% since purchase",
    "₹1,45,478.10",
  ])
  expect(await cells(/C0002/)).toEqual(["-", "-", "--", "-"])
})
