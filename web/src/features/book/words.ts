import type { PillTone } from "@/ui/status-pill"
import type { ClientState, Outside, RunState, Tile } from "./types"

export const tileWords: Record<Tile, string> = {
  READY: "Ready",
  NEEDS_CASH: "Needs cash",
  RESTRICTED: "Restricted",
  NO_SESSION: "No session",
  ACTION_PENDING: "Action pending",
  ACTION_SUSPECTED: "Action suspected",
  STALE_DATA: "Stale data",
  PRICE_MISSING: "Price missing",
  FAULT: "Not computed",
  INSIDE_TOLERANCE: "Within tolerance",
}

export const tileTones: Record<Tile, PillTone> = {
  READY: "gain",
  NEEDS_CASH: "warn",
  RESTRICTED: "warn",
  NO_SESSION: "warn",
  ACTION_PENDING: "warn",
  ACTION_SUSPECTED: "warn",
  STALE_DATA: "loss",
  PRICE_MISSING: "loss",
  FAULT: "loss",
  INSIDE_TOLERANCE: "neutral",
}

/** The tiles from left to right: what is sent first, what is never sent last. */
export const tilesInOrder = Object.keys(tileWords) as Tile[]

export const runStateWords: Record<RunState, [word: string, tone: PillTone]> = {
  COMPUTING: ["Computing", "brand"],
  REVIEW: ["In review", "warn"],
  SENDING: ["Sending", "brand"],
  DONE: ["Sent", "gain"],
  CANCELLED: ["Cancelled", "neutral"],
  FAILED: ["Failed", "loss"],
}

export const clientStateWords: Record<ClientState, [word: string, tone: PillTone]> = {
  REVIEW: ["Left out", "neutral"],
  QUEUED: ["Waiting", "warn"],
  SENT: ["Sent", "gain"],
  CHANGED: ["Changed since", "warn"],
  FAILED: ["Failed", "loss"],
  CANCELLED: ["Cancelled", "neutral"],
}

export const outsideWords: Record<Outside, string> = { KEEP: "Keep", SELL: "Sell" }

/** Which clients of a run are listed: a tile, a state of the sending, or the reviewer's choice. */
export type ClientFilter = Tile | ClientState | "INCLUDED" | "LEFT_OUT" | ""

export const clientFilters: readonly ClientFilter[] = [
  ...tilesInOrder,
  ...(Object.keys(clientStateWords) as ClientState[]),
  "INCLUDED",
  "LEFT_OUT",
]

export const isTile = (filter: ClientFilter): filter is Tile => Object.hasOwn(tileWords, filter)
