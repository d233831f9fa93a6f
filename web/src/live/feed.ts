import { useSyncExternalStore } from "react"
import { createStore } from "@/lib/store"

export type FeedState =
  "connecting" | "live" | "simulated" | "reconnecting" | "stale" | "closed" | "none"

export type Source = "ZERODHA" | "ANGEL_ONE" | "SIMULATED"

/** How a source of prices is named on a screen. */
export const sourceNames: Record<Source, string> = {
  ZERODHA: "Zerodha",
  ANGEL_ONE: "Angel One",
  SIMULATED: "Simulated prices",
}

export interface Feed {
  state: FeedState
  /** Which try it is while reconnecting, of `attempts`. */
  attempt: number
  attempts: number
  /** When the last heartbeat came, by the server's clock; null before the first. */
  at: string | null
  /** The source of the live prices; null without one, or before the first heartbeat. */
  source: Source | null
  /** When the newest price was traded; null where none is known. */
  pricesAt: string | null
  /** Instruments that the source does not have: their prices do not move. */
  unfollowed: ReadonlySet<string>
  /** Prices come from the simulator, whatever the state. Once seen, said until the session ends. */
  isSimulated: boolean
  /** Prices are too old to trust: no heartbeat for 15 s, no connection, or no source. */
  isStale: boolean
}

export interface Heartbeat {
  at: string
  source: Source | null
  live: boolean
  /** What `live` does not say: why prices do not come. */
  state?: "LIVE" | "CLOSED" | "DOWN" | "NONE"
  pricesAt?: string | null
  unfollowed?: number[]
}

export const ATTEMPTS = 20
/** Prices without a heartbeat for this long are old. */
export const STALE_AFTER = 15_000

const nothing: ReadonlySet<string> = new Set()
const start: Feed = {
  state: "connecting",
  attempt: 0,
  attempts: ATTEMPTS,
  at: null,
  source: null,
  pricesAt: null,
  unfollowed: nothing,
  isSimulated: false,
  isStale: false,
}
const feed = createStore(start)
let timer: ReturnType<typeof setTimeout> | undefined

const change = (next: Partial<Feed>) => feed.set({ ...feed.get(), ...next })

function stateOf({ source, live, state }: Heartbeat): FeedState {
  if (state === "NONE") return "none"
  if (state === "DOWN") return "stale"
  if (source === "SIMULATED") return "simulated"
  return live ? "live" : "closed"
}

/** A heartbeat: restarts the 15 s. */
export function beat(heartbeat: Heartbeat) {
  clearTimeout(timer)
  timer = setTimeout(() => change({ state: "stale", isStale: true }), STALE_AFTER)
  const { at, source, pricesAt = null, unfollowed = [] } = heartbeat
  const state = stateOf(heartbeat)
  change({
    state,
    attempt: 0,
    at,
    source,
    pricesAt,
    unfollowed: unfollowed.length > 0 ? new Set(unfollowed.map(String)) : nothing,
    isSimulated: source === "SIMULATED",
    isStale: state === "stale" || state === "none",
  })
}

export const reconnecting = (attempt: number) =>
  change({ state: "reconnecting", attempt, isStale: feed.get().isStale || feed.get().at !== null })

/** The connection is back; the next heartbeat has the state of the prices. */
export const connected = () => change({ attempt: 0 })

export const gaveUp = () => change({ state: "stale", isStale: true })

export function resetFeed() {
  clearTimeout(timer)
  feed.set(start)
}

/** How the prices come. It changes with each heartbeat. */
export const useFeed = () => useSyncExternalStore(feed.subscribe, feed.get)

/** Whether the price of an instrument is too old to trust, or does not move. */
export const useIsOldPrice = (token: string) =>
  useSyncExternalStore(feed.subscribe, () => feed.get().isStale || feed.get().unfollowed.has(token))
