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
    // Of a browser's own history alone.
    scrollRestoration: history === undefined,
    defaultErrorComponent: BrokenScreen,
    defaultNotFoundComponent: MissingScreen,
    defaultPendingComponent: WaitingScreen,
  })
}

/**
 * Starts to fetch the code of the requested screen, and behind the sign-in who is signed in, before the first render:
 * on a slow line each of them takes longer than rendering.
 */
export function fetchScreen(router: ReturnType<typeof createAppRouter>) {
  if (session.get("token") === null) return
  // Errors are ignored here: they occur again, and are shown, where the results are awaited.
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname)
  for (const route of routes) router.loadRouteChunk(route)?.catch(noop)
  // A public page also opens without a session.
  const isGuarded = routes.some((route) => route.id === "/home")
  if (isGuarded) router.options.context.queryClient.query(signedInQuery).catch(noop)
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  /** What screens pass to each other in the navigation state, as the specification says. */
  interface HistoryState {
    /** The client code that the advice form starts with. */
    username?: string
    /** The advice whose targets the form starts from. */
    adviceId?: string
    /** The advice of which the form plans what is left. */
    followUpOf?: string
    /** The challenge of the one-time code. */
    challenge?: { email: string; challengeId: string; askedAt: number }
    /** The token of a verified one-time code: lets a new password be set. */
    resetToken?: string
    /** The opened broker, by the name on its card, and its record: null before it is added. */
    brokerName?: string
    brokerId?: string | null
  }
}
