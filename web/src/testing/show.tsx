import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router"
import { render, screen, waitFor } from "@testing-library/react"
import userEvent, { PointerEventsCheckLevel } from "@testing-library/user-event"
import type { ReactNode } from "react"
import { onTestFinished } from "vitest"
import { Providers } from "@/app/providers"
import { createQueryClient } from "@/app/query-client"
import { createAppRouter } from "@/app/router"
import { watchSession } from "@/app/session-end"
import { session } from "@/api/session"

/** Lives as long as the test: nothing is asked again, and nobody hears of a session's end, after it. */
function client() {
  const queryClient = createQueryClient()
  queryClient.setDefaultOptions({ queries: { retry: false, staleTime: 0 } })
  onTestFinished(() => queryClient.clear())
  return queryClient
}

/**
 * Who clicks and types. `fill` enters a text at once, as from the clipboard, where it is not about the typing; `refill`
 * clears the field first. `choose` opens the menu of a button and presses an entry.
 */
function person() {
  // Style sheets are not read in tests, so that there is nothing to find in looking for `pointer-events`.
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never })
  const fill = async (field: Element, text: string) => {
    await user.click(field)
    await user.paste(text)
  }
  const refill = async (field: Element, text: string) => {
    await user.clear(field)
    await fill(field, text)
  }
  const choose = async (button: string, entry: string) => {
    await user.click(await screen.findByRole("button", { name: button }))
    await user.click(await screen.findByRole("menuitem", { name: entry }))
  }
  return Object.assign(user, { fill, refill, choose })
}
export type Person = ReturnType<typeof person>

/** Renders one component as the app would. Returns the user who clicks and types. */
export async function show(what: ReactNode) {
  const root = createRootRoute({ component: () => what })
  const anywhere = createRoute({ getParentRoute: () => root, path: "$" })
  const router = createRouter({
    routeTree: root.addChildren([anywhere]),
    history: createMemoryHistory({ initialEntries: ["/"] }),
  })
  const queryClient = client()
  const user = person()
  const drawn = render(
    <Providers queryClient={queryClient} env="test">
      <RouterProvider router={router as never} />
    </Providers>,
  )
  await waitFor(() => {
    if (router.state.status !== "idle") throw new Error("still going")
  })
  return { user, queryClient, ...drawn }
}

/** Renders the whole app at an address: guard, layout and screen. `role` signs somebody in first. */
export async function showApp(
  address: string,
  { role, state }: { role?: "ADMIN" | "USER"; state?: Record<string, unknown> } = {},
) {
  if (role) session.start("token-of-the-test", role)
  const queryClient = client()
  const history = createMemoryHistory({ initialEntries: ["/nowhere"] })
  history.push(address, state)
  const router = createAppRouter(queryClient, history)
  // The screen's code is read before the test begins to wait for it: the first time takes long on a busy machine.
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname)
  for (const route of routes) await router.loadRouteChunk(route)
  onTestFinished(watchSession(router, queryClient))
  const user = person()
  const drawn = render(
    <Providers queryClient={queryClient} env="test">
      <RouterProvider router={router} />
    </Providers>,
  )
  await waitFor(() => {
    if (router.state.status !== "idle") throw new Error("still going")
  })
  return { user, router, queryClient, ...drawn }
}
