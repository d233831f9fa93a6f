import { fireEvent, screen } from "@testing-library/react"
import { useState } from "react"
import { expect, test, vi } from "vitest"
import { show } from "@/testing/show"
import { MoneyField, type NumberFieldProps, PercentField, RateField } from "./number-fields"

const field = () => screen.getByRole<HTMLInputElement>("textbox", { name: "Sum" })

/** A field over a value that is kept; `onChange` hears of every change. */
function Kept({
  of: Kind,
  start = "",
  onChange,
  ...rest
}: Omit<NumberFieldProps, "label"> & {
  of: (props: NumberFieldProps) => React.ReactNode
  start?: number | ""
}) {
  const [value, setValue] = useState<number | "">(start)
  const take = (next: number | "") => {
    onChange?.(next)
    setValue(next)
  }
  return <Kind label="Sum" value={value} onChange={take} {...rest} />
}

/** The browser's part of a key: it replaces the selection. */
function key(character: string) {
  const { value, selectionStart, selectionEnd } = field()
  const caret = (selectionStart ?? 0) + character.length
  const text =
    value.slice(0, selectionStart ?? 0) + character + value.slice(selectionEnd ?? value.length)
  // With the caret where the browser has it by then.
  fireEvent.input(field(), { target: { value: text, selectionStart: caret, selectionEnd: caret } })
}

test.each([
  ["a share", PercentField, 8, "8.00%", "4.25%"],
  ["a sum", MoneyField, 100_000, "₹1,00,000", "₹4.25"],
  ["a sum with paise", MoneyField, 0.5, "₹0.50", "₹4.25"],
] as const)(
  "keys that follow the focus at once replace %s",
  async (_, kind, start, was, becomes) => {
    await show(<Kept of={kind} start={start} />)
    expect(field()).toHaveValue(was)

    field().focus()
    for (const character of "4.25") key(character)

    expect(field()).toHaveValue(becomes)
  },
)

test("a click into a field selects all of it, the next one places the caret", async () => {
  const { user } = await show(<Kept of={MoneyField} start={100_000} />)

  await user.pointer({ target: field(), offset: 3, keys: "[MouseLeft]" })
  expect([field().selectionStart, field().selectionEnd]).toEqual([0, 9])

  await user.pointer({ target: field(), offset: 3, keys: "[MouseLeft]" })
  expect([field().selectionStart, field().selectionEnd]).toEqual([3, 3])
})

test("a sum is grouped while it is typed, and the caret stays behind its digit", async () => {
  const { user } = await show(<Kept of={MoneyField} />)

  await user.type(field(), "1234567")
  expect(field()).toHaveValue("₹12,34,567")
  field().setSelectionRange(2, 2)
  key("9")

  expect(field()).toHaveValue("₹1,92,34,567")
  expect(field().selectionStart).toBe(4)
})

test("what is no part of a number is not taken in, nor a third decimal", async () => {
  const onChange = vi.fn()
  const { user } = await show(<Kept of={MoneyField} onChange={onChange} />)

  await user.type(field(), "a1-2.3.456e")

  expect(field()).toHaveValue("₹12.34")
  expect(onChange.mock.lastCall).toEqual([12.34])
})

test("a sign is taken in where a sum may be negative", async () => {
  const onChange = vi.fn()
  const { user } = await show(<Kept of={MoneyField} allowNegative onChange={onChange} />)

  await user.type(field(), "-150000.5")
  expect(field()).toHaveValue("-₹1,50,000.5")
  await user.tab()

  expect(field()).toHaveValue("-₹1,50,000.50")
  expect(onChange.mock.lastCall).toEqual([-150_000.5])
})

test("a share above its most becomes the most when the field is left", async () => {
  const { user } = await show(<Kept of={PercentField} />)

  await user.type(field(), "150")
  expect(field()).toHaveValue("150%")
  await user.tab()

  expect(field()).toHaveValue("100.00%")
})

test("Up and Down step, not below nought", async () => {
  const { user } = await show(<Kept of={PercentField} start={0.01} />)
  await user.click(field())

  await user.keyboard("{ArrowUp}{ArrowUp}")
  expect(field()).toHaveValue("0.03%")
  await user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}{ArrowDown}")

  expect(field()).toHaveValue("0.00%")
})

test("a rate keeps its small decimals", async () => {
  const onChange = vi.fn()
  const rate = (props: NumberFieldProps) => <RateField unit="percent" {...props} />
  const { user } = await show(<Kept of={rate} onChange={onChange} />)

  await user.type(field(), "0.00000297")
  await user.tab()

  expect(field()).toHaveValue("0.00000297%")
  expect(onChange.mock.lastCall).toEqual([0.00000297])
})

test("a value that is set while the field has the focus is shown", async () => {
  const kind = (props: NumberFieldProps) => (
    <>
      <MoneyField {...props} />
      <button
        type="button"
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => props.onChange?.(7)}
      >
        Seven
      </button>
    </>
  )
  const { user } = await show(<Kept of={kind} />)
  await user.type(field(), "12")

  await user.click(screen.getByRole("button", { name: "Seven" }))

  expect(field()).toHaveValue("₹7")
})
