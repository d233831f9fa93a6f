import type { QueryClient } from "@tanstack/react-query"
import { onSessionEnd } from "@/api/session"
import { toast } from "@/ui/toast"
import type { createAppRouter } from "./router"

/** When the server ends the session: say so, forget what it told us, and log in again to the same place. */
export function watchSession(router: ReturnType<typeof createAppRouter>, cache: QueryClient) {
  return onSessionEnd(() => {
    toast.error("Session expired. Please log in again.")
    cache.clear()
    const { href, pathname } = router.state.location
    if (pathname.startsWith("/auth")) return
    void router.navigate({ to: "/auth/login", search: { next: href }, replace: true })
  })
}
