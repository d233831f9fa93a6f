import { useSyncExternalStore } from "react"
import type { components } from "@/api/schema"
import { createStore } from "@/lib/store"
import { readTabDraft, saveTabDraft } from "@/lib/tab-draft"
import type { RebalanceOptions } from "@/parts/rebalance-options"
import { type Disclosures, noDisclosures } from "@/parts/send-fields"
import { byKey, withStocks } from "./holdings"
import { type AdviceRow, isCash, keyOf } from "./targets"
import { createUndoStack } from "./undo-stack"

type Schemas = components["schemas"]
export type Rebalance = Schemas["RebalanceAnswer"]
export type RebalanceRow = Schemas["RebalanceRow"]
export type Advice = Schemas["AdviceToSend"]
export type Mode = Schemas["Mode"]

/** An advice sent without an answer yet: it may only be sent again unchanged, under the same key. */
export interface Sending {
  key: string
  body: Advice
}

/** What the person has set for one client. */
export interface Work {
  investment: number | ""
  /** The Investment Value is the live value of holdings and cash, until a person types one. */
  followsValue: boolean
  rows: AdviceRow[]
  /** What the client holds, as it was last read. */
  held: AdviceRow[]
  mode: Mode
  /** Rupees after charges, for the mode that raises cash. */
  raiseAmount: number | ""
  options: RebalanceOptions
  rationale: string
  /** The analyst's own sentences about orders, by ISIN. */
  notes: Partial<Record<string, string>>
  /** The chosen stop of "Fewer orders" and of "Less tax", of which one is 0: with all orders, with all tax. */
  stop: number
  taxStop: number
}

/**
 * A draft that is offered again, and the time of its last change. One that the server wrote when the window of an
 * advice ended says when that advice was sent.
 */
export type EarlierDraft = Work & { editedAt: string; followUpSentAt?: string }

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
  /** What changed in the holdings since the draft was written, in words. */
  holdingsChange: string | null
  disclosures: Disclosures
  sending: Sending | null
  /** Drafts that can be restored, by client code. */
  earlier: Partial<Record<string, EarlierDraft>>
}

const noWork: Work = {
  investment: "",
  followsValue: true,
  rows: [],
  held: [],
  mode: "FULL",
  raiseAmount: "",
  options: {},
  rationale: "",
  notes: {},
  stop: 0,
  taxStop: 0,
}
const noClient = { ...noWork, client: null, editedAt: null, holdingsChange: null }
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

/** What Ctrl Z takes back. */
type Step = Pick<Work, "rows" | "investment" | "followsValue" | "mode" | "raiseAmount">

const stepOf = ({ rows, investment, followsValue, mode, raiseAmount }: AdviceDraft): Step => ({
  rows,
  investment,
  followsValue,
  mode,
  raiseAmount,
})

const isSameRow = (row: AdviceRow, other: AdviceRow | undefined) =>
  other !== undefined &&
  keyOf(row) === keyOf(other) &&
  row.target === other.target &&
  row.copied === other.copied

const isSameStep = (step: Step, other: Step) =>
  step.mode === other.mode &&
  step.raiseAmount === other.raiseAmount &&
  step.followsValue === other.followsValue &&
  // A value that follows the prices moves without a change by the person.
  (step.followsValue || step.investment === other.investment) &&
  step.rows.length === other.rows.length &&
  step.rows.every((row, place) => isSameRow(row, other.rows[place]))

const steps = createUndoStack(isSameStep)
const now = () => new Date().toISOString()

/** Puts a step back; quantities and prices stay as they are now. */
function putBack(step: Step | null): AdviceRow[] | null {
  if (!step) return null
  const current = byKey(store.get().rows)
  const rows = step.rows.map((row) => {
    const { quantity, ltp, amount } = current.get(keyOf(row)) ?? row
    return { ...row, quantity, ltp, amount }
  })
  draft.change({ ...step, rows, editedAt: now() })
  return rows
}

/** What the person has set, without what belongs to the tab. */
export function workOf(draft: AdviceDraft): Work {
  const names = Object.keys(noWork) as (keyof Work)[]
  return Object.fromEntries(names.map((name) => [name, draft[name]])) as unknown as Work
}

/** The earlier drafts, together with this client's if anything was changed in it. */
function withCurrent(draft: AdviceDraft) {
  const { client, editedAt, earlier } = draft
  if (!client || editedAt === null) return earlier
  return { ...earlier, [client.code]: { ...workOf(draft), editedAt } }
}

const without = (earlier: AdviceDraft["earlier"], code: string) =>
  Object.fromEntries(Object.entries(earlier).filter(([each]) => each !== code))

export const draft = {
  get: store.get,
  subscribe: store.subscribe,
  change: (change: Partial<AdviceDraft>) => write({ ...store.get(), ...change }),
  /** The Investment Value follows the prices: not a change by the person, and not worth storing. */
  follow: (investment: number) => {
    if (store.get().investment !== investment) store.set({ ...store.get(), investment })
  },
  /**
   * A change by the person. True when Ctrl Z takes it back; changes of one name in a row are one step.
   */
  edit: (change: Partial<Work>, merge?: string): boolean => {
    const before = store.get()
    // Another rebalance starts with all of its orders and all of its tax.
    const keepsStops = ["notes", "rationale"].some((name) => name in change)
    const stops = keepsStops ? {} : { stop: 0, taxStop: 0 }
    const next = { ...before, ...stops, ...change, editedAt: now() }
    const isStep = !isSameStep(stepOf(before), stepOf(next))
    if (isStep) steps.record(stepOf(before), merge)
    write(next)
    return isStep
  },
  /** The typing of a value has ended. */
  settle: steps.settle,
  /** The rows after the last change was undone; null when there is nothing to undo. */
  undo: () => putBack(steps.undo(stepOf(store.get()))),
  redo: () => putBack(steps.redo(stepOf(store.get()))),
  /** Another client code: the draft of the previous client is kept among the earlier ones. */
  leaveClient: (change: Pick<AdviceDraft, "username"> & Partial<AdviceDraft>) => {
    steps.clear()
    draft.change({ earlier: withCurrent(store.get()), ...noClient, ...change })
  },
  /** Swaps the current draft with this client's earlier one. */
  restoreEarlier: () => {
    const { client, earlier } = store.get()
    const saved = client && earlier[client.code]
    if (!saved) return
    steps.clear()
    const others = { ...store.get(), earlier: without(earlier, client.code) }
    draft.change({ ...noWork, ...saved, holdingsChange: null, earlier: withCurrent(others) })
  },
  offer: (code: string, saved: EarlierDraft) =>
    draft.change({ earlier: { ...store.get().earlier, [code]: saved } }),
  dropEarlier: (code: string) => draft.change({ earlier: without(store.get().earlier, code) }),
  /** Clears everything. */
  reset: () => {
    steps.clear()
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
    const isInside = place !== undefined && (last === -1 || place < last)
    draft.edit({ rows: isInside ? rows.toSpliced(place, 0, row) : withStocks(rows, [row]) })
  },
  removeRow: (key: string) =>
    draft.edit({ rows: store.get().rows.filter((row) => keyOf(row) !== key) }),
}

export const useDraft = () => useSyncExternalStore(store.subscribe, store.get)
