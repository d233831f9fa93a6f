import { screen, waitFor } from "@testing-library/react"
import { expect, test } from "vitest"
import { adviceAnswered, ashaRebalance } from "@/testing/advice-rows"
import { targetOf } from "@/testing/advice-screen"
import { answerWith, refuse } from "@/testing/server"
import { showApp } from "@/testing/show"
import { toastMessages } from "@/testing/toasts"

const path = "/admin/advice/advice-1/follow-up"

const open = () =>
  showApp("/home/advice", {
    role: "ADMIN",
    state: { username: "C1007", followUpOf: "advice-1" },
  })

test("the form opens with the targets and the Investment Value of what is left", async () => {
  adviceAnswered()
  const [bought, untraded, sold] = ashaRebalance.data
  const drafts = answerWith("post", path, {
    ...ashaRebalance,
    // Of INFY nothing is left.
    data: [bought, untraded, { ...sold, allocationPercentage: null, type: "HOLD", quantity: 0 }],
    targetInvestmentValue: 105_000,
    cashTargetPercentage: 0,
  })
  await open()

  expect(await screen.findByText("Targets set to what is left of the advice")).toBeVisible()
  expect(targetOf("TCS")).toHaveValue("40.00%")
  expect(targetOf("INFY")).toHaveValue("")
  expect(screen.getByLabelText("Investment Value")).toHaveValue("₹1,05,000")
  expect(drafts[0]?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f]{32}$/)
})

test("an advice of which nothing is left says so, and changes nothing", async () => {
  adviceAnswered()
  refuse("post", path, 409, "Nothing is left of this advice: no follow-up is needed.")
  await open()

  await waitFor(() =>
    expect(toastMessages()).toEqual(["Nothing is left of this advice: no follow-up is needed."]),
  )
  expect(targetOf("TCS")).toHaveValue("")
})
