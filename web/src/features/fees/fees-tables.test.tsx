import { screen, within } from "@testing-library/react"
import { expect, test } from "vitest"
import { chooseAsha, feeField, openClientFees, openFees, openNewRow } from "@/testing/fee-screens"

test("the firm's fees have 5, 10, 20 or 50 rows on a page", async () => {
  await openFees()

  const sizes = within(await screen.findByLabelText("Rows on a page")).getAllByRole("option")
  expect(sizes.map((option) => option.textContent)).toEqual(["5", "10", "20", "50"])
})

test("a client's fees scroll above 450 pixels", async () => {
  chooseAsha()
  await openClientFees()

  expect(screen.getByRole("region", { name: "Fees, table" })).toHaveStyle({ maxHeight: "450px" })
})

test("a new row has the fields of a period, and nothing to settle yet", async () => {
  chooseAsha()
  await openNewRow()

  for (const name of ["Starting Date", "Due Date", "Final Date", "Starting Value", "Final Value"])
    expect(feeField(name)).toBeEnabled()
  expect(screen.queryByLabelText("Status")).toBeNull()
  expect(screen.queryByLabelText("Paid Date")).toBeNull()
})
