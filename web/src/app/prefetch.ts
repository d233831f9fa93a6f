import { noop, type QueryClient, type QueryKey } from "@tanstack/react-query"

interface Entry {
  cause: "enter" | "stay" | "preload"
  context: { queryClient: QueryClient }
}

/**
 * Starts a screen's queries while its code is still loading: for a route's `loader`. Nothing waits for them here, and
 * the screen shows their errors. A screen that is only pointed at is not prefetched.
 */
export function prefetch({ cause, context }: Entry, ...queries: { queryKey: QueryKey }[]) {
  if (cause !== "enter") return
  for (const query of queries) context.queryClient.query(query).catch(noop)
}
