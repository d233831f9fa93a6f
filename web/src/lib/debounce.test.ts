import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { debounce } from "./debounce"

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test("only the last of quick calls is made, after the rest", () => {
  const act = vi.fn()
  const later = debounce(act, 300)

  later("a")
  vi.advanceTimersByTime(299)
  later("ab")
  vi.advanceTimersByTime(299)

  expect(act).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(act.mock.calls).toEqual([["ab"]])
})

test("a cancelled call is never made", () => {
  const act = vi.fn()
  const later = debounce(act, 300)

  later()
  later.cancel()
  vi.advanceTimersByTime(1000)

  expect(act).not.toHaveBeenCalled()
})
