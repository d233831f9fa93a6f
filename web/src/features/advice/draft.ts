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

/** What the three advice screens share. It lives in this tab, over a reload and an expired session. */
export interface AdviceDraft {
  /** Who wrote it, so that nobody else who signs in here finds it. */
  owner: string | null
  /** The navigation that prefilled the code; it prefills once. */
  origin: string | null
  username: string
  client: { id: string; name: string; code: string } | null
  investment: number | ""
  rows: AdviceRow[]
  /** What differs from the firm's own settings. */
  options: Options
  rationale: string
  disclosures: Disclosures
  sending: Sending | null
}

const KEPT_AS = "tarazu.advice"
const noDisclosures: Disclosures = { holdings: "", conflicts: "", compensation: "" }
const empty: AdviceDraft = {
  owner: null,
  origin: null,
  username: "",
  client: null,
  investment: "",
  rows: [],
  options: {},
  rationale: "",
  disclosures: noDisclosures,
  sending: null,
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

export const draft = {
  get: store.get,
  subscribe: store.subscribe,
  change: (change: Partial<AdviceDraft>) => write({ ...store.get(), ...change }),
  /** The reset action: all of it, after a send. */
  reset: () => write(empty),
  /** Reads again what the tab kept, as a reload does. */
  restore: () => store.set(readKept()),
  /** Another person signed in: the draft of the one before is dropped. */
  claim: (owner: string) => {
    const before = store.get().owner
    if (before === owner) return
    write(before === null ? { ...store.get(), owner } : { ...empty, owner })
  },
  changeRow: (key: string, change: Partial<AdviceRow>) =>
    draft.change({
      rows: store.get().rows.map((row) => (keyOf(row) === key ? { ...row, ...change } : row)),
    }),
  /** Puts a stock in, before CASH or at its old place. */
  insertRow: (row: AdviceRow, place?: number) => {
    const { rows } = store.get()
    if (rows.some((each) => keyOf(each) === keyOf(row))) return
    const last = rows.findIndex(isCash)
    const end = last === -1 ? rows.length : last
    draft.change({ rows: rows.toSpliced(Math.min(place ?? end, end), 0, row) })
  },
  removeRow: (key: string) =>
    draft.change({ rows: store.get().rows.filter((row) => keyOf(row) !== key) }),
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
