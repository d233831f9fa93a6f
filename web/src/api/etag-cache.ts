import type { Middleware } from "openapi-fetch"
import { session } from "./session"

/** Smaller answers are not cached: a conditional request would cost as much. In characters. */
const MIN_SIZE = 1_000
const MAX_ANSWERS = 60

interface CachedAnswer {
  tag: string
  body: string
  kind: string
}

/** In memory only, and only for the session that read them: they show people's money. */
let cache = new Map<string, CachedAnswer>()
let cacheToken: string | null = null

/** The cache for a request; null unless it is a read of the current session. */
function cacheFor(request: Request): Map<string, CachedAnswer> | null {
  const token = session.get("token")
  if (token !== cacheToken) {
    cache = new Map()
    cacheToken = token
  }
  const isCurrent = request.headers.get("Authorization") === `Bearer ${token ?? ""}`
  return isCurrent && request.method === "GET" ? cache : null
}

/** Sends the ETag of a cached answer, and returns the cached answer on a 304. Comes after the token's middleware. */
export const withEtagCache: Middleware = {
  onRequest({ request }) {
    const cached = cacheFor(request)?.get(request.url)
    if (cached) request.headers.set("If-None-Match", cached.tag)
  },
  async onResponse({ request, response }) {
    const answers = cacheFor(request)
    if (answers === null) return undefined
    const cached = answers.get(request.url)
    if (response.status === 304 && cached) {
      const headers = new Headers(response.headers)
      headers.set("Content-Type", cached.kind)
      return new Response(cached.body, { status: 200, headers })
    }
    const tag = response.headers.get("ETag")
    if (response.status !== 200 || tag === null) return undefined
    const body = await response.clone().text()
    if (body.length < MIN_SIZE) return undefined
    // The newest is last; the oldest is removed.
    answers.delete(request.url)
    answers.set(request.url, { tag, body, kind: response.headers.get("Content-Type") ?? "" })
    const [oldest] = answers.keys()
    if (answers.size > MAX_ANSWERS && oldest !== undefined) answers.delete(oldest)
    return undefined
  },
}
