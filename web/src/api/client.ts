import createClient, { type Middleware } from "openapi-fetch"
import { withKeptAnswers } from "./kept-answers"
import type { paths } from "./schema"
import { endSession, session, setUpDue, tellSetUpDue } from "./session"

/** The paths as the specification writes them, without their common prefix. */
type Paths = {
  [Path in keyof paths as Path extends `/api/v1${infer Rest}` ? Rest : never]: paths[Path]
}

export interface FieldFault {
  field: string
  message: string
}

export const networkMessage = "Network error. Check your connection and try again."

/** A call that did not succeed. `message` is fit for the screen; `status` 0 means that nothing was reached. */
export class ApiError extends Error {
  override name = "ApiError"

  constructor(
    readonly status: number,
    message: string,
    readonly code = "",
    readonly errors: FieldFault[] = [],
    /** Seconds to wait before the next try; null when the server did not say. */
    readonly retryAfter: number | null = null,
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
    // An answer to an older token says nothing about the session of now.
    if (response.status === 401 && sent === `Bearer ${session.get("token") ?? ""}`) endSession()
    const due = response.status === 403 ? setUpDue(await codeOf(response.clone())) : undefined
    if (due !== undefined) tellSetUpDue(due)
  },
  onError({ error }) {
    return error instanceof ApiError ? error : new ApiError(0, networkMessage, "network")
  },
}

/** How long an answer may take, in milliseconds: what a screen reads, and what is work (a write, a file). */
const PATIENCE = { reading: 30_000, working: 120_000 }
const isWork = ({ method, url }: Request) =>
  (method !== "GET" && !url.includes("/v1/auth/")) || /\/export\b|\.pdf\b/.test(url)

/** Gives up on a server that takes the call and never answers; nobody is left before a loading screen. */
async function fetchInTime(request: Request): Promise<Response> {
  const giveUp = new AbortController()
  const patience = isWork(request) ? PATIENCE.working : PATIENCE.reading
  const timer = setTimeout(() => giveUp.abort(), patience)
  try {
    return await fetch(request, { signal: giveUp.signal })
  } catch (error) {
    throw giveUp.signal.aborted ? new ApiError(0, networkMessage, "unanswered") : error
  } finally {
    clearTimeout(timer)
  }
}

/** The server, typed by its own description: `api.GET("/admin/dashboard/stats")`. */
export const api = createClient<Paths>({
  baseUrl: `${window.location.origin}/api/v1`,
  fetch: fetchInTime,
  querySerializer: { array: { style: "form", explode: true } },
})
api.use(withToken, withKeptAnswers)

interface Answer<Body> {
  data?: Body
  error?: unknown
  response: Response
}

/** The whole answer (pagination, message, accessToken); a refusal is thrown as an `ApiError`. */
export async function answerOf<Body>(call: Promise<Answer<Body>>): Promise<Body> {
  const { data, error, response } = await call
  if (data === undefined) throw refusal(error, response)
  return data
}

/** What is in the envelope; `success: false` is a refusal whatever its status. */
export async function dataOf<Data>(call: Promise<Answer<{ data: Data }>>): Promise<Data> {
  const { response, ...answer } = await call
  const body = answer.data
  if (body === undefined) throw refusal(answer.error, response)
  if ("success" in body && body.success === false) throw refusal(body, response)
  return body.data
}

/** True for what went wrong, save that the session is over: that has words of its own. */
export const isFailure = (error: unknown) =>
  error !== null && !(error instanceof ApiError && error.status === 401)

/** The sentence that the server sends with an act. */
export async function messageFrom(
  call: Promise<Answer<{ message?: string | null }>>,
): Promise<string> {
  return (await answerOf(call)).message ?? ""
}

/** A body of the multipart kind, as file imports want it: pass as `bodySerializer`. */
export function asForm(body: Record<string, Blob | string | boolean | null | undefined>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) {
    if (value instanceof Blob) form.append(name, value)
    else if (value !== undefined && value !== null) form.append(name, String(value))
  }
  return form
}

/** A key that lets a call be sent again without acting twice: one for each form, kept over its retries. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
}

function refusal(body: unknown, response: Response): ApiError {
  const told = (typeof body === "object" && body !== null ? body : {}) as {
    message?: unknown
    code?: unknown
    errors?: unknown
  }
  const wait = Number(response.headers.get("Retry-After") ?? Number.NaN)
  return new ApiError(
    response.status,
    typeof told.message === "string" ? told.message : "",
    typeof told.code === "string" ? told.code : "",
    Array.isArray(told.errors) ? (told.errors as FieldFault[]) : [],
    Number.isFinite(wait) ? wait : null,
  )
}
