import { noop, type QueryClient } from "@tanstack/react-query"
import { redirect } from "@tanstack/react-router"
import { ApiError } from "@/api/client"
import type { components } from "@/api/schema"
import { announceSetUpDue, isAdmin, session } from "@/api/session"
import { signedInQuery } from "@/api/shared-queries"

type SignedIn = components["schemas"]["Verified"]

/** The addresses that may follow a login: ours, inside the protected area. */
export const safeNext = (next: unknown): string | undefined =>
  typeof next === "string" && /^\/home(?:[/?#]|$)/.test(next) ? next : undefined

/**
 * The search part of a login page. `next` is always set: the router keeps parameters that a route leaves out, and a
 * foreign address must not pass.
 */
export const nextOf = (search: Record<string, unknown>): { next?: string } => ({
  next: safeNext(search.next),
})

/**
 * Requires a token that the server accepts for the protected area. The role is read from the server each time, since
 * the stored one may be outdated. A tab that knows its role shows the screen meanwhile: the server checks every call,
 * and whatever it says of the session is acted on when it says it.
 */
export async function requireSession(cache: QueryClient, href: string) {
  const toLogin = () => redirect({ to: "/auth/login", search: { next: safeNext(href) } })
  if (session.get("token") === null) throw toLogin()
  const verified = cache.query(signedInQuery)
  if (session.get("role") !== null) {
    const isFetching = cache.getQueryState(signedInQuery.queryKey)?.fetchStatus === "fetching"
    if (isFetching) verified.then(takeVerified, noop)
    return
  }
  const person = await verified.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) throw toLogin()
    // The server cannot be reached: each screen shows the error and keeps its data.
    return null
  })
  if (person === null) return
  if (session.get("role") !== person.role) session.set("role", person.role)
  if (person.isFirstTimeLogin) throw redirect({ to: "/auth/reset-password", replace: true })
  if (person.isSecondFactorDue)
    throw redirect({
      to: "/auth/second-factor",
      search: { next: safeNext(href) },
      replace: true,
    })
}

function takeVerified({ role, isFirstTimeLogin, isSecondFactorDue }: SignedIn) {
  if (session.get("token") === null) return
  if (session.get("role") !== role) session.set("role", role)
  if (isFirstTimeLogin) announceSetUpDue("password")
  else if (isSecondFactorDue) announceSetUpDue("second-factor")
}

/** For screens that only ADMIN may open; others go to the dashboard. */
export function requireAdmin() {
  if (!isAdmin()) throw redirect({ to: "/home/dashboard", replace: true })
}
