import createClient, { type Middleware } from "openapi-fetch"
import { withEtagCache } from "./etag-cache"
import type { paths } from "./schema"
import { endSession, session, setUpDue, announceSetUpDue } from "./session"
import { askStepUp, STEP_UP } from "./step-up"

/** The paths as the specification writes them, without their common prefix. */
type Paths = {
  [Path in keyof paths as Path extends `/api/v1${infer Rest}` ? Rest : never]: paths[Path]
}

interface FieldFault {
  field: string
  message: string
}

export const networkMessage = "Network error. Check your connection and try again."

/** A failed call. `message` can be shown on the screen; `status` 0 means that the server was not reached. */
export class ApiError extends Error {
  override name = "ApiError"

  constructor(
    readonly status: number,
    message: string,
    readonly code = "",
    readonly errors: FieldFault[] = [],
    /** Seconds to wait before the next try; null when the server did not say. */
    readonly retryAfter: number | null = null,
    /** What a program needs to go on after the refusal; null for most. */
    readonly details: unknown = null,
  ) {
    super(message)
  }

  get isNetwork() {
    return this.status === 0
  }
}

/** The server's sentence, or `otherwise` when there is none. */
export const messageOf = (error: unknown, otherwise: string) =>
  error instanceof ApiError && error.message !== "" ? error.message : otherwise

async function codeOf(response: Response): Promise<string> {
  try {
    const { code } = (await response.json()) as { code?: unknown }
    return typeof code === "string" ? code : ""
  } catch {
    return ""
  }
}

const withToken: Middleware = {
  onRequest({ request }) {
    const token = session.get("token")
    if (token !== null) request.headers.set("Authorization", `Bearer ${token}`)
  },
  async onResponse({ request, response }) {
    const sent = request.headers.get("Authorization")
    // An answer to an older token says nothing about the current session.
    if (response.status === 401 && sent === `Bearer ${session.get("token") ?? ""}`) endSession()
    const due = response.status === 403 ? setUpDue(await codeOf(response.clone())) : undefined
    if (due !== undefined) announceSetUpDue(due)
  },
  onError({ error }) {
    return error instanceof ApiError ? error : new ApiError(0, networkMessage, "network")
  },
}

/** Timeouts in milliseconds: for what a screen reads, and for work (a write, a file). */
const TIMEOUTS = { reading: 30_000, working: 120_000 }
const isWork = ({ method, url }: Request) =>
  (method !== "GET" && !url.includes("/v1/auth/")) || /\/export\b|\.pdf\b/.test(url)

/** Fetches with a timeout: a server that never answers must not leave a person at a loading screen. */
async function fetchWithTimeout(request: Request): Promise<Response> {
  const controller = new AbortController()
  const timeout = isWork(request) ? TIMEOUTS.working : TIMEOUTS.reading
  const timer = setTimeout(() => controller.abort(), timeout)
  try {
    return await fetch(request, { signal: controller.signal })
  } catch (error) {
    throw controller.signal.aborted ? new ApiError(0, networkMessage, "unanswered") : error
  } finally {
    clearTimeout(timer)
  }
}

/** Asks for a fresh proof where a call needs one, and then makes the same call again. */
async function fetchProved(request: Request): Promise<Response> {
  const again = request.clone()
  const response = await fetchWithTimeout(request)
  if (response.status !== 403 || (await codeOf(response.clone())) !== STEP_UP) return response
  return (await askStepUp()) ? fetchWithTimeout(again) : response
}

/** The server, typed by its own description: `api.GET("/admin/dashboard/stats")`. */
export const api = createClient<Paths>({
  // The build prerenders pages without a window, and calls nothing.
  baseUrl: typeof window === "undefined" ? "" : `${window.location.origin}/api/v1`,
  fetch: fetchProved,
  querySerializer: { array: { style: "form", explode: true } },
})
api.use(withToken, withEtagCache)

interface Answer<Body> {
  data?: Body
  error?: unknown
  response: Response
}

/** The whole answer (pagination, message, accessToken); throws a refusal as an `ApiError`. */
export async function answerOf<Body>(call: Promise<Answer<Body>>): Promise<Body> {
  const { data, error, response } = await call
  if (data === undefined) throw refusal(error, response)
  return data
}

/** The `data` of an answer; `success: false` is a refusal whatever its status. */
export async function dataOf<Data>(call: Promise<Answer<{ data: Data }>>): Promise<Data> {
  const { response, ...answer } = await call
  const body = answer.data
  if (body === undefined) throw refusal(answer.error, response)
  if ("success" in body && body.success === false) throw refusal(body, response)
  return body.data
}

/** True for every error but the end of the session, which the app reports itself. */
export const isFailure = (error: unknown) =>
  error !== null && !(error instanceof ApiError && error.status === 401)

/** The server's message about a change. */
export async function messageFrom(
  call: Promise<Answer<{ message?: string | null }>>,
): Promise<string> {
  return (await answerOf(call)).message ?? ""
}

/** A multipart body, for file imports: pass as `bodySerializer`. */
export function asForm(body: Record<string, Blob | string | boolean | null | undefined>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) {
    if (value instanceof Blob) form.append(name, value)
    else if (value !== undefined && value !== null) form.append(name, String(value))
  }
  return form
}

/** A key that lets a call be repeated without acting twice: one for each form, the same for its retries. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

function refusal(body: unknown, response: Response): ApiError {
  const answer = (typeof body === "object" && body !== null ? body : {}) as {
    message?: unknown
    code?: unknown
    errors?: unknown
    details?: unknown
  }
  const wait = Number(response.headers.get("Retry-After") ?? Number.NaN)
  return new ApiError(
    response.status,
    typeof answer.message === "string" ? answer.message : "",
    typeof answer.code === "string" ? answer.code : "",
    Array.isArray(answer.errors) ? (answer.errors as FieldFault[]) : [],
    Number.isFinite(wait) ? wait : null,
    answer.details ?? null,
  )
}
