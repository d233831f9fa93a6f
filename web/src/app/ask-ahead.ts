import { noop, type QueryClient, type QueryKey } from "@tanstack/react-query"

interface Entry {
  cause: "enter" | "stay" | "preload"
  context: { queryClient: QueryClient }
}

/**
 * Asks for a screen's figures while its code is still on its way: for a route's `loader`. Nothing waits for them
 * here, and what goes wrong is told by the screen. A screen that is only pointed at is not asked for.
 */
export function askAhead({ cause, context }: Entry, ...queries: { queryKey: QueryKey }[]) {
  if (cause !== "enter") return
  for (const query of queries) context.queryClient.query(query).catch(noop)
}
