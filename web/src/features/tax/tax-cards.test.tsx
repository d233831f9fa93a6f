import { render, screen } from "@testing-library/react"
import { expect, test } from "vitest"
import { disposal, gainsOf } from "@/testing/tax"
import { TaxCards } from "./tax-cards"

const unknown = disposal({ gain: null, reason: "NO_PURCHASE", reasonText: "Not known." })
const card = (name: string) => screen.getByRole("group", { name })

test("a year of which no sale is known has no sums", () => {
  render(<TaxCards gains={gainsOf({ disposals: [unknown], unknownDisposals: 1 })} />)

  expect(card("Short-term")).toHaveTextContent("Short-term-No sale of this year is known")
  expect(card("Tax after set-off")).toHaveTextContent("-No sale of this year is known")
})

test("a year of which some sales are known has the sums of these", () => {
  render(<TaxCards gains={gainsOf({ disposals: [disposal(), unknown], unknownDisposals: 1 })} />)

  expect(card("Tax after set-off")).toHaveTextContent("₹37,050.00")
})
