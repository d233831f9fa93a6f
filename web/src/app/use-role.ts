import { useSyncExternalStore } from "react"
import { session } from "@/api/session"

/** The role of the session, renders again when it changes. */
export const useRole = () => useSyncExternalStore(session.subscribe, () => session.get("role"))
