import { useEffect, useSyncExternalStore } from "react"
import { ApiError, answerOf, api, dataOf } from "@/api/client"
import { session } from "@/api/session"
import { createStore } from "@/lib/store"
import { toastCentre } from "@/ui/overlay/toast"
import { draft, type EarlierDraft, useDraft, workOf } from "./draft"

/** The form of the stored content; a draft in another form is not read. */
const SCHEMA = 1
const SAVE_AFTER = 1500

/** Whether this client's draft is on the server; `at` is the time of the change that was saved last. */
interface Saved {
  clientId: string
  at: string
  hasFailed: boolean
}
const saved = createStore<Saved | null>(null)

/** By client, the version on the server: null for none, missing until it was read. */
let versions = new Map<string, number | null>()
/** Calls go one after the other, so that an older draft never replaces a newer one. */
let queue: Promise<unknown> = Promise.resolve()
/** What is answered for an earlier session is not used. */
let round = 0

/** Forgets what is known of the server's drafts, as another person signs in. */
export function forgetSavedDrafts() {
  versions = new Map()
  saved.set(null)
  round += 1
}

const at = (clientId: string) => ({ params: { path: { client_id: clientId } } })

/** The server's draft of this client; null for none, and for one in a form that is not known here. */
async function readSaved(clientId: string): Promise<EarlierDraft | null> {
  const current = round
  const savedDraft = await dataOf(api.GET("/admin/advice/drafts/{client_id}", at(clientId)))
  if (current !== round) return null
  versions.set(clientId, savedDraft?.version ?? null)
  const content = savedDraft?.content as Partial<EarlierDraft> | undefined
  if (!content || savedDraft?.schemaVersion !== SCHEMA || !Array.isArray(content.rows)) return null
  return typeof content.editedAt === "string" ? (content as EarlierDraft) : null
}

/** Offers the server's draft where it is newer than what this tab has; in a conflict, where it is another one. */
async function offerSaved(client: { id: string; code: string }, isConflict = false) {
  const content = await readSaved(client.id)
  const { client: current, editedAt, earlier } = draft.get()
  if (!content || current?.id !== client.id) return
  const known = [editedAt, earlier[client.code]?.editedAt].filter((time) => time != null)
  if (known.every((time) => (isConflict ? time !== content.editedAt : time < content.editedAt)))
    draft.offer(client.code, content)
}

const isGone = (error: unknown) => error instanceof ApiError && error.status === 404
const isStale = (error: unknown) => error instanceof ApiError && error.status === 409

async function put(client: { id: string; code: string }, content: EarlierDraft) {
  const current = round
  if (session.get("token") === null) return
  try {
    if (!versions.has(client.id)) await offerSaved(client)
    const body = {
      version: versions.get(client.id) ?? null,
      schemaVersion: SCHEMA,
      content: content as unknown as Record<string, unknown>,
    }
    const { version } = await dataOf(
      api.PUT("/admin/advice/drafts/{client_id}", { ...at(client.id), body }),
    )
    if (current !== round) return
    versions.set(client.id, version)
    saved.set({ clientId: client.id, at: content.editedAt, hasFailed: false })
  } catch (error) {
    if (current !== round) return
    saved.set({ clientId: client.id, at: content.editedAt, hasFailed: true })
    // Another device saved, sent or dropped it: its draft is offered, and the next change is saved over it.
    if (isStale(error)) await offerSaved(client, true).catch(() => undefined)
    if (isGone(error)) {
      toastCentre.error(`${client.code} was deleted. The draft cannot be saved.`)
      draft.dropEarlier(client.code)
    }
  }
}

const save = (client: { id: string; code: string }, content: EarlierDraft) => {
  queue = queue.then(() => put(client, content))
}

/** Offers the draft that another tab or device saved for this client. */
export function checkSavedDraft(client: { id: string; code: string }) {
  queue = queue.then(() => offerSaved(client)).catch(() => undefined)
}

/** Drops the server's draft of this client. */
export function dropSavedDraft(clientId: string) {
  saved.set(null)
  queue = queue
    .then(() => answerOf(api.DELETE("/admin/advice/drafts/{client_id}", at(clientId))))
    .then(() => versions.set(clientId, null))
    .catch(() => undefined)
}

/** Saves the draft on the server shortly after each change, and when the screen or the client is left. */
export function useDraftSaving() {
  const { client, editedAt } = useDraft()
  const { id, code } = client ?? {}
  useEffect(() => {
    if (id === undefined || code === undefined || editedAt === null) return
    const saveNow = () => {
      const current = draft.get()
      const isOpen = current.client?.id === id
      const work = isOpen ? workOf(current) : current.earlier[code]
      const time = isOpen ? current.editedAt : current.earlier[code]?.editedAt
      // Sent, discarded, or another draft of this client.
      if (!work || time == null || current.sending !== null) return
      if (!isOpen && time !== editedAt) return
      const { clientId, at: savedAt, hasFailed } = saved.get() ?? {}
      if (clientId !== id || savedAt !== time || hasFailed)
        save({ id, code }, { ...work, editedAt: time })
    }
    const timer = setTimeout(saveNow, SAVE_AFTER)
    return () => {
      clearTimeout(timer)
      const { client: next, editedAt: changed } = draft.get()
      if (next?.id !== id || changed === editedAt) saveNow()
    }
  }, [id, code, editedAt])
}

/** Whether the draft is on the server; null while nothing was saved for this client. */
export function useSaved(clientId: string | undefined): Saved | null {
  const state = useSyncExternalStore(saved.subscribe, saved.get)
  return state?.clientId === clientId ? state : null
}
