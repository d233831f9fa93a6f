import { http, HttpResponse, type JsonBodyType } from "msw"
import { setupServer } from "msw/node"

const nothing = (data: JsonBodyType) => () => HttpResponse.json({ success: true, data })

const noAdvice = { day: "2026-11-19", sent: 0, acted: 0, medianSlippageBps: null }
const reminders = { enabled: true, isFirmOn: true }

/**
 * The server of the tests, faked at the network. A call that no test has answered fails that test; the two lists of
 * the dashboard, where most journeys start, and what the client list asks beside its rows are empty unless a test
 * answers them, the log-in page offers the password alone, drafts of advice are saved, and of no advice it is known
 * what became of it.
 */
export const server = setupServer(
  http.get("*/api/v1/auth/sign-in", nothing({ hasPasskeys: false, sso: null })),
  http.get("*/api/v1/admin/dashboard/work", nothing([])),
  http.get("*/api/v1/admin/dashboard/movers", nothing(null)),
  http.get("*/api/v1/admin/models/followed", nothing([])),
  http.get("*/api/v1/admin/clients/totals", nothing(null)),
  http.get("*/api/v1/admin/dashboard/setup", nothing([])),
  http.get("*/api/v1/admin/obligations/next", nothing([])),
  http.get("*/api/v1/admin/follow-up", nothing([])),
  http.get("*/api/v1/admin/follow-up/yesterday", nothing(noAdvice)),
  http.get("*/api/v1/admin/clients/client/:id/reminders", nothing(reminders)),
  http.get("*/api/v1/admin/advice/drafts/:id", nothing(null)),
  http.put(
    "*/api/v1/admin/advice/drafts/:id",
    nothing({ version: 1, changedAt: "2026-11-20T10:00:00Z" }),
  ),
  http.delete("*/api/v1/admin/advice/drafts/:id", nothing(null)),
)

type Method = "get" | "post" | "put" | "delete"

/** A call that reached the fake server. */
export interface Call {
  body: unknown
  search: URLSearchParams
  headers: Headers
  path: string
}

const bodyOf = async (request: Request): Promise<unknown> => {
  const text = await request.clone().text()
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function on(method: Method, path: string, respond: (call: Call) => Response | Promise<Response>) {
  const calls: Call[] = []
  server.use(
    http[method](`*/api/v1${path}`, async ({ request }) => {
      const url = new URL(request.url)
      const call = {
        body: await bodyOf(request),
        search: url.searchParams,
        headers: request.headers,
        path: url.pathname,
      }
      calls.push(call)
      return respond(call)
    }),
  )
  return calls
}

/**
 * Answers a call with `data` in the envelope; `more` is added beside it (pagination, message).
 * Returns the received calls in order. `:id` in the path matches any part.
 */
export const answer = (
  method: Method,
  path: string,
  data: JsonBodyType,
  more: Record<string, JsonBodyType> = {},
) => on(method, path, () => HttpResponse.json({ success: true, message: null, data, ...more }))

/** Answers a call by what it asked for. */
export const answerBy = (method: Method, path: string, body: (call: Call) => JsonBodyType) =>
  on(method, path, (call) => HttpResponse.json(body(call)))

/** Answers a call with exactly this body and status. */
export const answerWith = (method: Method, path: string, body: JsonBodyType, status = 200) =>
  on(method, path, () => HttpResponse.json(body, { status }))

/** Refuses a call, as the server refuses: a status, a sentence, and perhaps what is wrong with which field. */
export const refuse = (
  method: Method,
  path: string,
  status: number,
  message: string,
  errors: { field: string; message: string }[] = [],
) =>
  on(method, path, () =>
    HttpResponse.json({ success: false, message, code: "refused", errors }, { status }),
  )

/** Nothing is reached. */
export const breakOff = (method: Method, path: string) =>
  on(method, path, () => HttpResponse.error())

/** Never answers, to look at the screen while it waits. */
export const hang = (method: Method, path: string) =>
  on(method, path, () => new Promise<Response>(() => undefined))

/** Answers a call once `answerNow` is called, to act while it is under way. */
export function answerLater(method: Method, path: string, data: JsonBodyType) {
  let release: () => void = () => undefined
  const answered = new Promise<void>((resolve) => {
    release = resolve
  })
  const calls = on(method, path, async () => {
    await answered
    return HttpResponse.json({ success: true, message: null, data })
  })
  return { calls, answerNow: () => release() }
}
