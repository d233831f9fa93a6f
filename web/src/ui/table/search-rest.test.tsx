import { act, fireEvent, screen } from "@testing-library/react"
import { afterEach, expect, test, vi } from "vitest"
import { show } from "@/testing/show"
import { SearchField } from "./search-field"

afterEach(() => void vi.useRealTimers())

test("it asks 300 ms after the last key, and not before", async () => {
  const onSearch = vi.fn()
  await show(<SearchField label="Search clients" value="" onSearch={onSearch} />)
  vi.useFakeTimers()
  const type = (value: string) =>
    fireEvent.change(screen.getByRole("searchbox"), { target: { value } })
  const pass = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds))

  type("as")
  pass(299)
  type("asha")
  pass(299)
  expect(onSearch).not.toHaveBeenCalled()
  pass(1)

  expect(onSearch.mock.calls).toEqual([["asha"]])
})
