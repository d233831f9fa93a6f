import { useSyncExternalStore } from "react"
import { createStore } from "@/lib/store"

export type FeedState = "connecting" | "live" | "simulated" | "reconnecting" | "stale" | "closed"

export interface Feed {
  state: FeedState
  /** Which try it is while reconnecting, of `attempts`. */
  attempt: number
  attempts: number
  /** When the last heartbeat came, by the server's clock; null before the first. */
  at: string | null
  /** Prices come from the simulator, whatever the state. Once seen, said until the session ends. */
  isSimulated: boolean
  /** Prices are too old to trust: no heartbeat for 15 s, or no connection. */
  isStale: boolean
}

export interface Heartbeat {
  at: string
  source: "ZERODHA" | "ANGEL_ONE" | "SIMULATED"
  live: boolean
}

export const ATTEMPTS = 20
/** Prices without a heartbeat for this long are old. */
export const STALE_AFTER = 15_000

const start: Feed = {
  state: "connecting",
  attempt: 0,
  attempts: ATTEMPTS,
  at: null,
  isSimulated: false,
  isStale: false,
}
const feed = createStore(start)
let timer: ReturnType<typeof setTimeout> | undefined

const change = (next: Partial<Feed>) => feed.set({ ...feed.get(), ...next })

/** A sign of life: starts the 15 s anew. */
export function beat({ at, source, live }: Heartbeat) {
  clearTimeout(timer)
  timer = setTimeout(() => change({ state: "stale", isStale: true }), STALE_AFTER)
  const isSimulated = source === "SIMULATED"
  change({
    state: isSimulated ? "simulated" : live ? "live" : "closed",
    attempt: 0,
    at,
    isSimulated,
    isStale: false,
  })
}

export const reconnecting = (attempt: number) =>
  change({ state: "reconnecting", attempt, isStale: feed.get().isStale || feed.get().at !== null })

/** The connection stands again; a heartbeat will say how the prices are. */
export const connected = () => change({ attempt: 0 })

export const gaveUp = () => change({ state: "stale", isStale: true })

export function resetFeed() {
  clearTimeout(timer)
  feed.set(start)
}

/** How the prices come, for the header and for every cell that shows one. */
export const useFeed = () => useSyncExternalStore(feed.subscribe, feed.get)
