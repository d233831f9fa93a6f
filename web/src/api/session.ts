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

/** What an account may have to set up before its session is good for anything else. */
export type SetUp = "password" | "second-factor"

const setUps = new Map<string, SetUp>([
  ["PASSWORD_CHANGE_REQUIRED", "password"],
  ["SECOND_FACTOR_REQUIRED", "second-factor"],
])

/** What a refusal with this code wants set up; undefined where it wants nothing. */
export const setUpDue = (code = "") => setUps.get(code)

/** Goes up whenever the session changes, so that screens and the socket look again. */
const changes = createStore(0)
const endListeners = new Set<() => void>()
const setUpListeners = new Set<(what: SetUp) => void>()
/** The client that was looked at when a session ran out, so that a new login finds the same place again. */
let leftOpen: { clientId: string | null; username: string | null } | null = null

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
    if (leftOpen?.clientId) sessionStorage.setItem("clientId", leftOpen.clientId)
    if (leftOpen?.username) sessionStorage.setItem("username", leftOpen.username)
    leftOpen = null
    touch()
  },
  /** Forgets all of it, on logout and when the server no longer knows the token. */
  clear: () => {
    const keys: SessionKey[] = [
      "token",
      "role",
      "clientId",
      "username",
      "brokerToken",
      "brokerLogin",
    ]
    for (const key of keys) sessionStorage.removeItem(key)
    leftOpen = null
    touch()
  },
  subscribe: changes.subscribe,
}

/** Makes a client the one that the client tabs show: the internal id, and the code that people read. */
export function chooseClient(id: string, code: string) {
  session.set("clientId", id)
  session.set("username", code)
}

/** True for staff of role ADMIN. It only decides what is shown; the server decides what may be done. */
export const isAdmin = () => session.get("role") === "ADMIN"

/** Calls `listener` when the server says that the session is over. Returns the call that ends this. */
export function onSessionEnd(listener: () => void) {
  endListeners.add(listener)
  return () => endListeners.delete(listener)
}

/** Calls `listener` when the server wants something set up first. Returns the call that ends this. */
export function onSetUpDue(listener: (what: SetUp) => void) {
  setUpListeners.add(listener)
  return () => setUpListeners.delete(listener)
}

/** The server lets this session do nothing else before that. */
export function tellSetUpDue(what: SetUp) {
  for (const listener of [...setUpListeners]) listener(what)
}

/** The server refused our token: clear the session and tell the app, once. */
export function endSession() {
  if (session.get("token") === null) return
  const open = { clientId: session.get("clientId"), username: session.get("username") }
  session.clear()
  leftOpen = open
  for (const listener of [...endListeners]) listener()
}
