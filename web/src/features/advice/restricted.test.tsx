import { screen, waitFor } from "@testing-library/react"
import { expect, test } from "vitest"
import { adviceAnswered, ashaHoldings } from "@/testing/advice-rows"
import { codeField } from "@/testing/advice-screen"
import { restriction } from "@/testing/models"
import { answer, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"

const path = "/admin/clients/client/:id/restrictions"

const open = async () => {
  const { user } = await showApp("/home/advice", { role: "ADMIN" })
  await user.fill(codeField(), "C1007")
  await screen.findByLabelText("Target Allocation of INFY")
}

test("rows of restricted stocks say how they are restricted, and why", async () => {
  adviceAnswered()
  const calls = answer("get", path, {
    version: 1,
    restrictions: [
      restriction(),
      restriction({
        tradingSymbol: "TCS",
        kind: "RANGE",
        minimumPercentage: null,
        maximumPercentage: 8,
        reason: "",
      }),
    ],
  })

  await open()

  expect(await screen.findByText("Locked")).toBeVisible()
  expect(screen.getByRole("row", { name: /INFY/ })).toHaveTextContent("Locked")
  expect(screen.getByTitle("Shares of the employer")).toHaveTextContent("Locked")
  expect(screen.getByRole("row", { name: /TCS/ })).toHaveTextContent("at most 8.00%")
  expect(calls[0]?.path).toContain("0b0e0000-0000-7000-8000-000000000001")
})

test("rows with shares that are not credited say how many cannot be sold", async () => {
  adviceAnswered()
  answer("get", path, { version: 1, restrictions: [] })
  const [infy, tcs] = ashaHoldings.holdings
  answer("get", "/admin/advice/clients/by-code/:code/holdings", {
    ...ashaHoldings,
    holdings: [{ ...infy!, actionPending: true, uncredited: 1 }, tcs!],
  })

  await open()

  expect(screen.getByRole("row", { name: /INFY/ })).toHaveTextContent("Action pending")
  const hint = "1 share is not credited yet after a corporate action and cannot be sold."
  expect(screen.getByTitle(hint)).toBeVisible()
  expect(screen.getByRole("row", { name: /TCS/ })).not.toHaveTextContent("Action pending")
})

test("restrictions that cannot be read leave the form as it is", async () => {
  adviceAnswered()
  const refused = refuse("get", path, 500, "No.")

  await open()

  await waitFor(() => expect(refused).not.toHaveLength(0))
  expect(screen.getByLabelText("Target Allocation of INFY")).toBeEnabled()
  expect(screen.queryByText("Locked")).not.toBeInTheDocument()
})
