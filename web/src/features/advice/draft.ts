import { useSyncExternalStore } from "react"
import type { components } from "@/api/schema"
import { createStore } from "@/lib/store"
import { type AdviceRow, CASH, isCash, keyOf } from "./targets"

type Schemas = components["schemas"]
export type ClientHoldings = Schemas["ClientHoldings"]
export type Rebalance = Schemas["RebalanceAnswer"]
export type RebalanceRow = Schemas["RebalanceRow"]
export type Advice = Schemas["AdviceToSend"]

/** What differs from the firm's own settings: percents of the investment, rupees, and two truths. */
export interface Options {
  bandPercentage?: number
  minimumTradeValue?: number
  priceBufferPercentage?: number
  includeCharges?: boolean
  allowFreshFunds?: boolean
}

export interface Disclosures {
  holdings: string
  conflicts: string
  compensation: string
}

/** An advice that was sent and has no answer yet: only ever sent again as it was, under the same key. */
export interface Sending {
  key: string
  body: Advice
}

/** What a person set for one client. */
interface Work {
  investment: number | ""
  rows: AdviceRow[]
  /** What differs from the firm's own settings. */
  options: Options
  rationale: string
}

/** The work on a client that was left for another one, and the instant of its last change. */
export type KeptDraft = Work & { editedAt: string }

/** What the three advice screens share. It lives in this tab, over a reload and an expired session. */
export interface AdviceDraft extends Work {
  /** Who wrote it, so that nobody else who signs in here finds it. */
  owner: string | null
  /** The navigation that prefilled the code; it prefills once. */
  origin: string | null
  username: string
  client: { id: string; name: string; code: string } | null
  /** When a person last changed something for this client; null while all is as it was loaded. */
  editedAt: string | null
  disclosures: Disclosures
  sending: Sending | null
  /** Drafts of the clients that were left, by client code. */
  kept: Partial<Record<string, KeptDraft>>
}

const KEPT_AS = "tarazu.advice"
const noDisclosures: Disclosures = { holdings: "", conflicts: "", compensation: "" }
const noClient = {
  client: null,
  investment: "",
  rows: [],
  options: {},
  rationale: "",
  editedAt: null,
} satisfies Partial<AdviceDraft>
const empty: AdviceDraft = {
  ...noClient,
  owner: null,
  origin: null,
  username: "",
  disclosures: noDisclosures,
  sending: null,
  kept: {},
}

/** The draft as this tab kept it; an empty one when there is none, or storage is closed. */
export function readKept(): AdviceDraft {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT_AS) ?? "null") as AdviceDraft | null
    return Array.isArray(kept?.rows) ? { ...empty, ...kept } : empty
  } catch {
    return empty
  }
}

function keep(draft: AdviceDraft) {
  try {
    if (draft === empty) sessionStorage.removeItem(KEPT_AS)
    else sessionStorage.setItem(KEPT_AS, JSON.stringify(draft))
  } catch {
    // Without storage the draft lasts until the page is left.
  }
}

const store = createStore(readKept())
/** True while a client's holdings are on their way; of no use after a reload. */
export const clientLoading = createStore(false)

const write = (next: AdviceDraft) => {
  store.set(next)
  keep(next)
}

/** Rows as they were before each change since the client was loaded, the last one at the end. */
let former: AdviceRow[][] = []
const MOST_STEPS = 100

/** The drafts that were left, with this client's among them if anything was changed in it. */
function withCurrent({ client, editedAt, kept, ...rest }: AdviceDraft) {
  if (!client || editedAt === null) return kept
  const { investment, rows, options, rationale } = rest
  return { ...kept, [client.code]: { investment, rows, options, rationale, editedAt } }
}

const without = (kept: AdviceDraft["kept"], code: string) =>
  Object.fromEntries(Object.entries(kept).filter(([each]) => each !== code))

export const draft = {
  get: store.get,
  subscribe: store.subscribe,
  change: (change: Partial<AdviceDraft>) => write({ ...store.get(), ...change }),
  /** A change that a person made to this client's draft, so that it is worth keeping; rows can be undone. */
  edit: (change: Partial<Work>) => {
    if (change.rows) former = [...former, store.get().rows].slice(-MOST_STEPS)
    draft.change({ ...change, editedAt: new Date().toISOString() })
  },
  /** Takes the last change of the rows back; answers the rows of before, or null when there is none. */
  undo: (): AdviceRow[] | null => {
    const rows = former.at(-1)
    if (!rows) return null
    former = former.slice(0, -1)
    const now = new Map(store.get().rows.map((row) => [keyOf(row), row]))
    // What is held and its price are as they are now.
    const back = rows.map((row) => {
      const { quantity, ltp, amount } = now.get(keyOf(row)) ?? row
      return { ...row, quantity, ltp, amount }
    })
    draft.change({ rows: back, editedAt: new Date().toISOString() })
    return back
  },
  /** Another code: what was set for the client of before is kept. */
  leaveClient: (change: Pick<AdviceDraft, "username"> & Partial<AdviceDraft>) => {
    former = []
    draft.change({ kept: withCurrent(store.get()), ...noClient, ...change })
  },
  /** Brings back what was kept of this client; what was changed since is kept in its place. */
  restoreKept: () => {
    const { client, kept } = store.get()
    const found = client && kept[client.code]
    if (!found) return
    former = []
    draft.change({
      ...found,
      kept: withCurrent({ ...store.get(), kept: without(kept, client.code) }),
    })
  },
  dropKept: (code: string) => draft.change({ kept: without(store.get().kept, code) }),
  /** The reset action: all of it. */
  reset: () => {
    former = []
    write(empty)
  },
  /** Begins again after a send; what was kept of other clients stays. */
  resetSent: () => {
    const { owner, client, kept } = store.get()
    draft.reset()
    const others = without(kept, client?.code ?? "")
    if (Object.keys(others).length > 0) draft.change({ owner, kept: others })
  },
  /** The person logs out: only a send without an answer stays for them. */
  logOut: () => {
    const { owner, sending } = store.get()
    draft.reset()
    if (sending) draft.change({ owner, sending })
  },
  /** Reads again what the tab kept, as a reload does. */
  restore: () => store.set(readKept()),
  /** Another person signed in: the draft of the one before is dropped. */
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
  /** Puts a stock in, before CASH or at its old place. */
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

/** A stock that was found and is not held. */
export const newRow = (
  stock: Pick<AdviceRow, "tradingSymbol" | "exchange" | "isin" | "instrumentToken" | "ltp">,
): AdviceRow => ({ ...bare, ...stock, quantity: 0, amount: null })

const priceIn = (holding: ClientHoldings["holdings"][number]) => ({
  ltp: holding.ltp,
  staleAt: holding.isPriceStale ? holding.pricedAt : null,
  priceSource: holding.priceSource,
})

/** One row a holding, and CASH last. */
export function rowsOf({ holdings, cash }: ClientHoldings): AdviceRow[] {
  const stocks = holdings.map((holding): AdviceRow => {
    const { tradingSymbol, exchange, isin, instrumentToken, quantity, product } = holding
    const known = { tradingSymbol, exchange, isin, instrumentToken, quantity, product }
    return { ...bare, ...known, ...priceIn(holding), amount: null }
  })
  const cashRow = { tradingSymbol: CASH, exchange: "", isin: "", instrumentToken: null, ltp: null }
  return [...stocks, { ...bare, ...cashRow, quantity: 0, amount: cash }]
}

/** What the server knows by now, under the targets as they were set. */
export function refreshed(rows: AdviceRow[], { holdings, cash }: ClientHoldings): AdviceRow[] {
  const known = new Map(holdings.map((holding) => [keyOf(holding), holding]))
  return rows.map((row) => {
    if (isCash(row)) return { ...row, amount: cash }
    const holding = known.get(keyOf(row))
    if (!holding) return { ...row, quantity: 0 }
    return { ...row, quantity: holding.quantity, ...priceIn(holding) }
  })
}
