import { MantineProvider } from "@mantine/core"
import { act, fireEvent, render, screen } from "@testing-library/react"
import { afterEach, expect, test, vi } from "vitest"

import { SearchField } from "./search-field"

const places = vi.hoisted(() => ({
  location: { pathname: "/home/client/details" },
  resolvedLocation: { pathname: "/home/client/details" },
}))

vi.mock("@tanstack/react-router", async (original) => ({
  ...(await original<object>()),
  useRouter: () => ({ state: places }),
}))

afterEach(() => void vi.useRealTimers())

test("a search that rested calls nobody back from the screen that they chose meanwhile", () => {
  vi.useFakeTimers()
  const onSearch = vi.fn()
  render(<SearchField label="Search clients" value="" onSearch={onSearch} />, {
    wrapper: MantineProvider,
  })
  const type = (value: string) =>
    fireEvent.change(screen.getByRole("searchbox"), { target: { value } })

  type("asha")
  places.location = { pathname: "/home/client/profile" }
  act(() => void vi.advanceTimersByTime(400))
  expect(onSearch).not.toHaveBeenCalled()

  places.location = places.resolvedLocation
  type("asha r")
  act(() => void vi.advanceTimersByTime(400))
  expect(onSearch.mock.calls).toEqual([["asha r"]])
})
