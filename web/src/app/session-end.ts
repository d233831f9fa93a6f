import type { QueryClient } from "@tanstack/react-query"
import { onSessionEnd, onSetUpDue, session } from "@/api/session"
import { toast } from "@/ui/overlay/toast"
import { safeNext } from "./guard"
import type { createAppRouter } from "./router"

/** Where an account sets up what is due; both need a session, though their addresses are among the public pages. */
const setUps = { password: "/auth/reset-password", "second-factor": "/auth/second-factor" } as const
const needsSession = (pathname: string) =>
  !pathname.startsWith("/auth") || Object.values(setUps).some((page) => page === pathname)

/**
 * When the server ends the session: shows a toast, clears the cache and opens the login, which returns to the same
 * address. When the server requires a set-up first: opens that.
 */
export function watchSession(router: ReturnType<typeof createAppRouter>, cache: QueryClient) {
  const releaseEnd = onSessionEnd(() => {
    toast.error("Session expired. Please log in again.")
    cache.clear()
    const { href, pathname, state } = router.state.location
    if (!needsSession(pathname)) return
    const search = { next: safeNext(href) }
    // The opened broker is not in the address.
    const { brokerName, brokerId } = state
    void router.navigate({
      to: "/auth/login",
      search,
      state: { brokerName, brokerId },
      replace: true,
    })
  })
  const releaseSetUp = onSetUpDue((what) => {
    if (router.state.location.pathname === setUps[what]) return
    void router.navigate({ to: setUps[what], replace: true })
  })
  // A screen may not be this role's any more.
  let role = session.get("role")
  const releaseRole = session.subscribe(() => {
    const before = role
    role = session.get("role")
    if (before !== null && role !== null && role !== before) void router.invalidate()
  })
  return () => {
    releaseRole()
    releaseEnd()
    releaseSetUp()
  }
}
