import type { QueryClient } from "@tanstack/react-query"
import { createRouter, type RouterHistory } from "@tanstack/react-router"
import { routeTree } from "@/routeTree.gen"
import { BrokenScreen, MissingScreen } from "./lost"

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
  })
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
  /** What screens hand each other by navigation, as the specification has it. */
  interface HistoryState {
    /** The client code that the advice form starts with. */
    username?: string
  }
}
