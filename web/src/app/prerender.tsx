import { createMemoryHistory } from "@tanstack/react-router"
import { prerender } from "react-dom/static"
import { App } from "./app"
import { createQueryClient } from "./query-client"
import { createAppRouter } from "./router"

/** The public screens that open first: a phone shows them before it has read any script. */
export const paths = ["/auth/login", "/auth/signup"]

/** The HTML of a screen as it is before anything is fetched or remembered: `main.tsx` hydrates it. */
export async function htmlOf(path: string): Promise<string> {
  const queryClient = createQueryClient()
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [path] }))
  await router.load()
  const { prelude } = await prerender(<App queryClient={queryClient} router={router} />, {
    // In one piece: what is sent later would be put in place by an inline script.
    progressiveChunkSize: Infinity,
    onError: (error) => {
      throw error
    },
  })
  return new Response(prelude).text()
}
