import { useSyncExternalStore } from "react"
import type { components } from "@/api/schema"
import { createStore } from "@/lib/store"
import { readTabDraft, saveTabDraft } from "@/lib/tab-draft"
import type { RebalanceOptions } from "@/parts/rebalance-options"
import { type Disclosures, noDisclosures } from "@/parts/send-fields"
import { type AdviceRow, CASH, isCash, keyOf } from "./targets"

type Schemas = components["schemas"]
export type ClientHoldings = Schemas["ClientHoldings"]
export type Rebalance = Schemas["RebalanceAnswer"]
export type RebalanceRow = Schemas["RebalanceRow"]
export type Advice = Schemas["AdviceToSend"]

/** An advice sent without an answer yet: it may only be sent again unchanged, under the same key. */
export interface Sending {
  key: string
  body: Advice
}

/** What the person has set for one client. */
interface Work {
  investment: number | ""
  rows: AdviceRow[]
  options: RebalanceOptions
  rationale: string
  /** The analyst's own sentences about orders, by ISIN. */
  notes: Partial<Record<string, string>>
  /** The chosen stop of "Fewer orders"; 0 is the rebalance with all of its orders. */
  stop: number
}

/** The draft of a client that the person left for another one, and the time of its last change. */
type EarlierDraft = Work & { editedAt: string }

/** The state of the three advice screens; this tab keeps it. */
export interface AdviceDraft extends Work {
  /** Who wrote it; other people who sign in here do not see it. */
  owner: string | null
  /** The navigation that prefilled the code; it prefills once. */
  origin: string | null
  username: string
  client: { id: string; name: string; code: string } | null
  /** When the person last changed something for this client; null while nothing is changed. */
  editedAt: string | null
  disclosures: Disclosures
  sending: Sending | null
  /** Drafts of other clients, by client code. */
  earlier: Partial<Record<string, EarlierDraft>>
}

const noClient = {
  client: null,
  investment: "",
  rows: [],
  options: {},
  rationale: "",
  notes: {},
  stop: 0,
  editedAt: null,
} satisfies Partial<AdviceDraft>
const empty: AdviceDraft = {
  ...noClient,
  owner: null,
  origin: null,
  username: "",
  disclosures: noDisclosures,
  sending: null,
  earlier: {},
}

/** The draft of this tab; an empty one when there is none. */
function readDraft(): AdviceDraft {
  const draft = readTabDraft("advice") as AdviceDraft | null
  return Array.isArray(draft?.rows) ? { ...empty, ...draft } : empty
}

const store = createStore(readDraft())
/** True while a client's holdings load. */
export const clientLoading = createStore(false)

const write = (next: AdviceDraft) => {
  store.set(next)
  saveTabDraft("advice", next === empty ? null : next)
}

/** The undo stack: the rows before each change since the client was loaded. */
let undoStack: AdviceRow[][] = []
const MAX_UNDO_STEPS = 100

/** The earlier drafts, together with this client's if anything was changed in it. */
function withCurrent({ client, editedAt, earlier, ...rest }: AdviceDraft) {
  if (!client || editedAt === null) return earlier
  const { investment, rows, options, rationale, notes, stop } = rest
  const work = { investment, rows, options, rationale, notes, stop }
  return { ...earlier, [client.code]: { ...work, editedAt } }
}

const without = (earlier: AdviceDraft["earlier"], code: string) =>
  Object.fromEntries(Object.entries(earlier).filter(([each]) => each !== code))

export const draft = {
  get: store.get,
  subscribe: store.subscribe,
  change: (change: Partial<AdviceDraft>) => write({ ...store.get(), ...change }),
  /** A change by the person; it can be undone if it changes the rows. */
  edit: (change: Partial<Work>) => {
    if (change.rows) undoStack = [...undoStack, store.get().rows].slice(-MAX_UNDO_STEPS)
    // Another rebalance starts with all of its orders.
    const isOther = "rows" in change || "options" in change || "investment" in change
    draft.change({ ...(isOther && { stop: 0 }), ...change, editedAt: new Date().toISOString() })
  },
  /** Undoes the last change of the rows; returns the restored rows, or null when there is none. */
  undo: (): AdviceRow[] | null => {
    const rows = undoStack.at(-1)
    if (!rows) return null
    undoStack = undoStack.slice(0, -1)
    const current = new Map(store.get().rows.map((row) => [keyOf(row), row]))
    // Quantities and prices stay as they are now.
    const restored = rows.map((row) => {
      const { quantity, ltp, amount } = current.get(keyOf(row)) ?? row
      return { ...row, quantity, ltp, amount }
    })
    draft.change({ rows: restored, editedAt: new Date().toISOString() })
    return restored
  },
  /** Another client code: the draft of the previous client is kept among the earlier ones. */
  leaveClient: (change: Pick<AdviceDraft, "username"> & Partial<AdviceDraft>) => {
    undoStack = []
    draft.change({ earlier: withCurrent(store.get()), ...noClient, ...change })
  },
  /** Swaps the current draft with this client's earlier one. */
  restoreEarlier: () => {
    const { client, earlier } = store.get()
    const saved = client && earlier[client.code]
    if (!saved) return
    undoStack = []
    draft.change({
      ...saved,
      earlier: withCurrent({ ...store.get(), earlier: without(earlier, client.code) }),
    })
  },
  dropEarlier: (code: string) => draft.change({ earlier: without(store.get().earlier, code) }),
  /** Clears everything. */
  reset: () => {
    undoStack = []
    write(empty)
  },
  /** Clears the draft after a send; the earlier drafts of other clients stay. */
  resetSent: () => {
    const { owner, client, earlier } = store.get()
    draft.reset()
    const others = without(earlier, client?.code ?? "")
    if (Object.keys(others).length > 0) draft.change({ owner, earlier: others })
  },
  /** On log-out: only a send without an answer is kept. */
  logOut: () => {
    const { owner, sending } = store.get()
    draft.reset()
    if (sending) draft.change({ owner, sending })
  },
  /** Reads the draft of this tab again, as a reload does. */
  restore: () => store.set(readDraft()),
  /** Another person has signed in: the previous draft is dropped. */
  claim: (owner: string) => {
    const before = store.get().owner
    if (before === owner) return
    if (before !== null) draft.reset()
    draft.change({ owner })
  },
  changeRow: (key: string, change: Partial<AdviceRow>) =>
    draft.edit({
      rows: store.get().rows.map((row) => (keyOf(row) === key ? { ...row, ...change } : row)),
    }),
  /** Inserts a stock before CASH, or at its old place. */
  insertRow: (row: AdviceRow, place?: number) => {
    const { rows } = store.get()
    if (rows.some((each) => keyOf(each) === keyOf(row))) return
    const last = rows.findIndex(isCash)
    const end = last === -1 ? rows.length : last
    draft.edit({ rows: rows.toSpliced(Math.min(place ?? end, end), 0, row) })
  },
  removeRow: (key: string) =>
    draft.edit({ rows: store.get().rows.filter((row) => keyOf(row) !== key) }),
}

export const useDraft = () => useSyncExternalStore(store.subscribe, store.get)

const bare = { product: "DELIVERY", target: null, prevTarget: null, copied: false }

/** The row of a stock that is not held. */
export const newRow = (
  stock: Pick<AdviceRow, "tradingSymbol" | "exchange" | "isin" | "instrumentToken" | "ltp">,
): AdviceRow => ({ ...bare, ...stock, quantity: 0, amount: null })

const priceIn = (holding: ClientHoldings["holdings"][number]) => ({
  ltp: holding.ltp,
  staleAt: holding.isPriceStale ? holding.pricedAt : null,
  priceSource: holding.priceSource,
})

/** One row per holding, and CASH last. */
export function rowsOf({ holdings, cash }: ClientHoldings): AdviceRow[] {
  const stocks = holdings.map((holding): AdviceRow => {
    const { tradingSymbol, exchange, isin, instrumentToken, quantity, product } = holding
    const known = { tradingSymbol, exchange, isin, instrumentToken, quantity, product }
    return { ...bare, ...known, ...priceIn(holding), amount: null }
  })
  const cashRow = { tradingSymbol: CASH, exchange: "", isin: "", instrumentToken: null, ltp: null }
  return [...stocks, { ...bare, ...cashRow, quantity: 0, amount: cash }]
}

/** The rows with the newest quantities, prices and cash; the targets stay. */
export function refreshed(rows: AdviceRow[], { holdings, cash }: ClientHoldings): AdviceRow[] {
  const known = new Map(holdings.map((holding) => [keyOf(holding), holding]))
  return rows.map((row) => {
    if (isCash(row)) return { ...row, amount: cash }
    const holding = known.get(keyOf(row))
    if (!holding) return { ...row, quantity: 0 }
    return { ...row, quantity: holding.quantity, ...priceIn(holding) }
  })
}
