import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from "@tanstack/react-router"
import { render, waitFor } from "@testing-library/react"
import userEvent from "@testing-library/user-event"
import type { ReactNode } from "react"
import { Providers } from "@/app/providers"
import { createQueryClient } from "@/app/query-client"
import { createAppRouter } from "@/app/router"
import { watchSession } from "@/app/session-end"
import { session } from "@/api/session"

const client = () => {
  const queryClient = createQueryClient()
  queryClient.setDefaultOptions({ queries: { retry: false, staleTime: 0 } })
  return queryClient
}

/** Draws one component as the app would, at an address of its own. Answers the user who clicks and types. */
export async function show(what: ReactNode) {
  const root = createRootRoute({ component: () => what })
  const anywhere = createRoute({ getParentRoute: () => root, path: "$" })
  const router = createRouter({
    routeTree: root.addChildren([anywhere]),
    history: createMemoryHistory({ initialEntries: ["/"] }),
  })
  const queryClient = client()
  const user = userEvent.setup()
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

/** Draws the whole app at an address: guard, layout and screen. `role` signs somebody in first. */
export async function showApp(
  address: string,
  { role, state }: { role?: "ADMIN" | "USER"; state?: Record<string, unknown> } = {},
) {
  if (role) session.start("token-of-the-test", role)
  const queryClient = client()
  const history = createMemoryHistory({ initialEntries: ["/nowhere"] })
  history.push(address, state)
  const router = createAppRouter(queryClient, history)
  const release = watchSession(router, queryClient)
  const user = userEvent.setup()
  const drawn = render(
    <Providers queryClient={queryClient} env="test">
      <RouterProvider router={router} />
    </Providers>,
  )
  await waitFor(() => {
    if (router.state.status !== "idle") throw new Error("still going")
  })
  return { user, router, queryClient, release, ...drawn }
}
