import { useSyncExternalStore } from "react"
import { session, type SessionKey } from "./session"

/** One value of the session; renders again when it changes: `useSession("clientId")`. */
export const useSession = (key: SessionKey) =>
  useSyncExternalStore(session.subscribe, () => session.get(key))
