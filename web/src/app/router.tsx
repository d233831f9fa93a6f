import { noop, type QueryClient } from "@tanstack/react-query"
import { createRouter, type RouterHistory } from "@tanstack/react-router"
import { session } from "@/api/session"
import { signedInQuery } from "@/api/shared-queries"
import { routeTree } from "@/routeTree.gen"
import { BrokenScreen, MissingScreen, WaitingScreen } from "./lost"

export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    history,
    context: { queryClient },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: BrokenScreen,
    defaultNotFoundComponent: MissingScreen,
    defaultPendingComponent: WaitingScreen,
  })
}

/**
 * Begins to fetch the code of the screen that is asked for, and behind the sign-in to ask who we are, before anything
 * is drawn: on a slow line each of them takes longer than the drawing.
 */
export function fetchScreen(router: ReturnType<typeof createAppRouter>) {
  if (session.get("token") === null) return
  // What goes wrong here goes wrong again where it is waited for, and is told there.
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname)
  for (const route of routes) router.loadRouteChunk(route)?.catch(noop)
  // A public page is for those as well whose session is over.
  const isGuarded = routes.some((route) => route.id === "/home")
  if (isGuarded) router.options.context.queryClient.query(signedInQuery).catch(noop)
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  /** What screens hand each other by navigation, as the specification has it. */
  interface HistoryState {
    /** The client code that the advice form starts with. */
    username?: string
    /** What the one-time code is met with. */
    challenge?: { email: string; challengeId: string; askedAt: number }
    /** What a one-time code earned: the right to set a new password. */
    resetToken?: string
    /** The broker that is looked at, by the name on its card, and its record: null before it is added. */
    brokerName?: string
    brokerId?: string | null
  }
}
