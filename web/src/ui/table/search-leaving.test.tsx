import { MantineProvider } from "@mantine/core"
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router"
import { act, fireEvent, render, screen } from "@testing-library/react"
import { afterEach, expect, test, vi } from "vitest"
import { SearchField } from "./search-field"

afterEach(() => void vi.useRealTimers())

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
