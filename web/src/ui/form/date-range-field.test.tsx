import { screen } from "@testing-library/react"
import { expect, test, vi } from "vitest"
import { show } from "@/testing/show"
import { DateRangeField, parseRange } from "./date-range-field"

test.each([
  ["01-11-2026 – 20-11-2026", { from: "2026-11-01", to: "2026-11-20" }],
  ["20/11/2026 - 01/11/2026", { from: "2026-11-01", to: "2026-11-20" }],
  ["2026-11-01 2026-11-20", { from: "2026-11-01", to: "2026-11-20" }],
  ["05-11-2026", { from: "2026-11-05", to: "2026-11-05" }],
  ["31-02-2026 – 01-03-2026", null],
  ["soon", null],
])("%s is read as a range", (text, range) => {
  expect(parseRange(text)).toEqual(range)
})

test("a typed range answers on Enter, and nonsense says what is wrong", async () => {
  const onRange = vi.fn()
  const { user } = await show(
    <DateRangeField label="Select Date" value={null} onRange={onRange} today="2026-11-20" />,
  )
  const field = screen.getByRole("textbox", { name: "Select Date" })

  await user.fill(field, "soon")
  await user.keyboard("{Enter}")
  expect(screen.getByText("Please select a valid date")).toBeVisible()
  expect(onRange).not.toHaveBeenCalled()

  await user.refill(field, "01-11-2026 – 20-11-2026")
  await user.keyboard("{Enter}")
  expect(onRange.mock.lastCall).toEqual([{ from: "2026-11-01", to: "2026-11-20" }])
})

test("quick choices answer at once", async () => {
  const onRange = vi.fn()
  const { user } = await show(
    <DateRangeField label="Select Date" value={null} onRange={onRange} today="2026-11-20" />,
  )

  await user.click(screen.getByRole("button", { name: "Open calendar: Select Date" }))
  await user.click(await screen.findByRole("button", { name: "This financial year" }))

  expect(onRange.mock.calls).toEqual([[{ from: "2026-04-01", to: "2026-11-20" }]])
})
