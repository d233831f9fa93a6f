import { MantineProvider } from "@mantine/core"
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router"
import { act, fireEvent, render, screen } from "@testing-library/react"
import { useState } from "react"
import { afterEach, expect, test, vi } from "vitest"
import { show } from "@/testing/show"
import { SearchField } from "./search-field"

afterEach(() => void vi.useRealTimers())

test("Escape clears at once", async () => {
  const onSearch = vi.fn()
  const { user } = await show(
    <SearchField label="Search clients" value="asha" onSearch={onSearch} />,
  )

  await user.type(screen.getByRole("searchbox"), "{Escape}")

  expect(screen.getByRole("searchbox")).toHaveValue("")
  expect(onSearch.mock.calls).toEqual([[""]])
})

test("it turns while it looks", async () => {
  await show(
    <SearchField label="Search clients" value="a" onSearch={() => undefined} isSearching />,
  )

  expect(screen.getByRole("status", { name: "Searching" })).toBeVisible()
})

test("a screen that rerenders during the typing delay does not lose the search", async () => {
  const searches: string[] = []
  function Screen() {
    const [drawn, setDrawn] = useState(1)
    return (
      <>
        <button onClick={() => setDrawn(2)}>Rerender</button>
        <SearchField
          label="Search clients"
          value=""
          onSearch={(query) => searches.push(`${query}, screen ${drawn}`)}
        />
      </>
    )
  }
  await show(<Screen />)

  vi.useFakeTimers()
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "asha" } })
  fireEvent.click(screen.getByRole("button", { name: "Rerender" }))
  act(() => void vi.advanceTimersByTime(300))

  expect(searches).toEqual(["asha, screen 2"])
})

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

test("a search that rested calls nobody back from the screen that they chose meanwhile", async () => {
  const onSearch = vi.fn()
  const root = createRootRoute()
  const list = createRoute({
    getParentRoute: () => root,
    path: "/",
    component: () => <SearchField label="Search clients" value="" onSearch={onSearch} />,
  })
  // A screen that is still being loaded: the list stands until it is there.
  const profile = createRoute({
    getParentRoute: () => root,
    path: "/profile",
    loader: () => new Promise(() => undefined),
  })
  const router = createRouter({
    routeTree: root.addChildren([list, profile]),
    history: createMemoryHistory({ initialEntries: ["/"] }),
  })
  render(<RouterProvider router={router as never} />, { wrapper: MantineProvider })
  const search = await screen.findByRole("searchbox")
  vi.useFakeTimers()
  const type = (value: string) => fireEvent.change(search, { target: { value } })
  const go = (to: string) => act(() => void router.navigate({ to }))

  type("asha")
  go("/profile")
  act(() => void vi.advanceTimersByTime(400))
  expect(onSearch).not.toHaveBeenCalled()

  go("/")
  type("asha r")
  act(() => void vi.advanceTimersByTime(400))
  expect(onSearch.mock.calls).toEqual([["asha r"]])
})
