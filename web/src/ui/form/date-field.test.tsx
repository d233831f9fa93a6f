import { screen } from "@testing-library/react"
import { useState } from "react"
import { expect, test, vi } from "vitest"
import { show } from "@/testing/show"
import { DateField } from "./date-field"

const heard = vi.fn()

function Held({ day = "" }: { day?: string }) {
  const [value, setValue] = useState(day)
  return (
    <DateField
      label="Due Date"
      min="2026-01-01"
      max="2026-11-20"
      value={value}
      onChange={(next) => {
        heard(next)
        setValue(next)
      }}
    />
  )
}

const field = () => screen.getByRole("textbox", { name: "Due Date" })

test("a typed day is heard at once and written out when the field is left", async () => {
  const { user } = await show(<Held />)

  await user.type(field(), "5.3.2026")
  expect(heard.mock.lastCall).toEqual(["2026-03-05"])
  expect(field()).toHaveValue("5.3.2026")

  await user.tab()
  expect(field()).toHaveValue("05-03-2026")
})

test("what is no day is kept, said, and heard as none", async () => {
  const { user } = await show(<Held day="2026-03-05" />)

  await user.refill(field(), "31-02-2026")
  await user.tab()

  expect(heard.mock.lastCall).toEqual([""])
  expect(field()).toHaveValue("31-02-2026")
  expect(screen.getByText("Please select a valid date")).toBeVisible()
})

test.each([
  ["21-11-2026", "Not after 20-11-2026"],
  ["31-12-2025", "Not before 01-01-2026"],
])("%s is said to lie outside", async (text, fault) => {
  const { user } = await show(<Held />)

  await user.fill(field(), text)
  await user.tab()

  expect(screen.getByText(fault)).toBeVisible()
})

test("a day is picked in the calendar, and days outside cannot be", async () => {
  const { user } = await show(<Held day="2026-11-05" />)

  await user.click(screen.getByRole("button", { name: "Open calendar" }))
  expect(await screen.findByRole("button", { name: /^21 November 2026/ })).toBeDisabled()
  await user.click(screen.getByRole("button", { name: /^9 November 2026/ }))

  expect(heard.mock.lastCall).toEqual(["2026-11-09"])
  expect(field()).toHaveValue("09-11-2026")
  expect(screen.queryByRole("dialog")).toBeNull()
})
