import type { Middleware } from "openapi-fetch"
import { session } from "./session"

/** Answers worth asking for by their tag: smaller ones cost no more than the question. */
const SMALLEST = 1_000
const MOST = 60

interface Kept {
  tag: string
  body: string
  kind: string
}

/** In memory alone, and only of the session that read them: they are people's money. */
let kept = new Map<string, Kept>()
let keptFor: string | null = null

/** What may be kept of a call: nothing, when its session is not the one of now. */
function answersFor(request: Request): Map<string, Kept> | null {
  const token = session.get("token")
  if (token !== keptFor) {
    kept = new Map()
    keptFor = token
  }
  const isOfNow = request.headers.get("Authorization") === `Bearer ${token ?? ""}`
  return isOfNow && request.method === "GET" ? kept : null
}

/** Stands after the token's middleware. Asks for what was read before by its tag, and shows it again when the server says that it still holds. */
export const withKeptAnswers: Middleware = {
  onRequest({ request }) {
    const known = answersFor(request)?.get(request.url)
    if (known) request.headers.set("If-None-Match", known.tag)
  },
  async onResponse({ request, response }) {
    const answers = answersFor(request)
    if (answers === null) return undefined
    const known = answers.get(request.url)
    if (response.status === 304 && known) {
      const headers = new Headers(response.headers)
      headers.set("Content-Type", known.kind)
      return new Response(known.body, { status: 200, headers })
    }
    const tag = response.headers.get("ETag")
    if (response.status !== 200 || tag === null) return undefined
    const body = await response.clone().text()
    if (body.length < SMALLEST) return undefined
    // The newest stands last; the oldest makes room.
    answers.delete(request.url)
    answers.set(request.url, { tag, body, kind: response.headers.get("Content-Type") ?? "" })
    const [oldest] = answers.keys()
    if (answers.size > MOST && oldest !== undefined) answers.delete(oldest)
    return undefined
  },
}
