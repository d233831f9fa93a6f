import { createStore } from "@/lib/store"

/** What the session storage of this tab holds, under exactly these names. */
export type SessionKey =
  | "token"
  | "role"
  | "clientId"
  | "username"
  | "brokerToken"
  /** What came back from a broker beside the token: the mark of the log-in, and Angel One's two others. */
  | "brokerLogin"
  /** Where a log-in by single sign-on goes on, while the person is with its provider. */
  | "next"

/** What an account may have to set up before its session can do anything else. */
type SetUp = "password" | "second-factor"

const setUps = new Map<string, SetUp>([
  ["PASSWORD_CHANGE_REQUIRED", "password"],
  ["SECOND_FACTOR_REQUIRED", "second-factor"],
])

/** What must be set up, by the code of a refusal; undefined for other codes. */
export const setUpDue = (code = "") => setUps.get(code)

/** Counts the changes of the session: screens and the socket subscribe to it. */
const changes = createStore(0)
const endListeners = new Set<() => void>()
const setUpListeners = new Set<(what: SetUp) => void>()
/** The client on the screen when a session ended: a new login opens it again. */
let lastClient: { clientId: string | null; username: string | null } | null = null

const touch = () => changes.set(changes.get() + 1)

export const session = {
  get: (key: SessionKey) => sessionStorage.getItem(key),
  set: (key: SessionKey, value: string) => {
    sessionStorage.setItem(key, value)
    touch()
  },
  remove: (key: SessionKey) => {
    sessionStorage.removeItem(key)
    touch()
  },
  /** Signs in: what a login or a sign-up answered. */
  start: (token: string, role: string) => {
    sessionStorage.setItem("token", token)
    sessionStorage.setItem("role", role)
    if (lastClient?.clientId) sessionStorage.setItem("clientId", lastClient.clientId)
    if (lastClient?.username) sessionStorage.setItem("username", lastClient.username)
    lastClient = null
    touch()
  },
  /** Removes everything, on logout and when the server rejects the token. */
  clear: () => {
    const keys: SessionKey[] = [
      "token",
      "role",
      "clientId",
      "username",
      "brokerToken",
      "brokerLogin",
      "next",
    ]
    for (const key of keys) sessionStorage.removeItem(key)
    lastClient = null
    touch()
  },
  subscribe: changes.subscribe,
}

/** Sets the client that the client tabs show: the internal id, and the code that people read. */
export function chooseClient(id: string, code: string) {
  session.set("clientId", id)
  session.set("username", code)
}

/** True for staff of role ADMIN. It only decides what is shown; the server checks every call. */
export const isAdmin = () => session.get("role") === "ADMIN"

/** Calls `listener` when the session ends on the server. Returns the unsubscribe function. */
export function onSessionEnd(listener: () => void) {
  endListeners.add(listener)
  return () => endListeners.delete(listener)
}

/** Calls `listener` when the server requires something to be set up first. Returns the unsubscribe function. */
export function onSetUpDue(listener: (what: SetUp) => void) {
  setUpListeners.add(listener)
  return () => setUpListeners.delete(listener)
}

/** Calls the listeners of `onSetUpDue`. */
export function announceSetUpDue(what: SetUp) {
  for (const listener of [...setUpListeners]) listener(what)
}

/** The server rejected our token: clears the session and notifies the app, once. */
export function endSession() {
  if (session.get("token") === null) return
  const open = { clientId: session.get("clientId"), username: session.get("username") }
  session.clear()
  lastClient = open
  for (const listener of [...endListeners]) listener()
}
