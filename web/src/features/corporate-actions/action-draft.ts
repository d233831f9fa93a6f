import type { ChosenStock } from "@/parts/stock-choice"
import type { ActionKind, ActionRow, ActionToEnter } from "./queries"

export interface ActionDraft {
  stock: Omit<ChosenStock, "instrumentToken"> | null
  kind: ActionKind
  exOn: string
  recordOn: string
  /** The two numbers of the ratio as people say it: a bonus of 3 new for 4 held. */
  more: string
  held: string
  amount: number | ""
  newIsin: string
  costShare: number | ""
  payOn: string
}

export type DraftFaults = Partial<Record<keyof ActionDraft | "isin" | "factor", string>>

interface KindFields {
  /** The labels of the ratio's numbers; null for a kind without one. */
  ratio: [string, string] | null
  amount?: string
  newIsin?: string
  costShare?: boolean
  payOn?: boolean
}

const afterSplit: KindFields = { ratio: ["Shares after", "for shares before"], newIsin: "New ISIN" }

/** The fields that each kind of action has. */
export const fieldsOf: Record<ActionKind, KindFields> = {
  BONUS: { ratio: ["New shares", "for shares held"] },
  SPLIT: afterSplit,
  CONSOLIDATION: afterSplit,
  DIVIDEND: { ratio: null, amount: "Dividend per share", payOn: true },
  RIGHTS: { ratio: ["Rights", "for shares held"], amount: "Price of a right" },
  DEMERGER: {
    ratio: ["Shares received", "for shares held"],
    newIsin: "ISIN of the resulting company",
    costShare: true,
  },
  MERGER: {
    ratio: ["Shares received", "for shares held"],
    newIsin: "ISIN of the other company",
  },
  BUYBACK: { ratio: null, amount: "Price per share" },
}

const empty: ActionDraft = {
  stock: null,
  kind: "BONUS",
  exOn: "",
  recordOn: "",
  more: "",
  held: "",
  amount: "",
  newIsin: "",
  costShare: "",
  payOn: "",
}

/** The draft of a new action, or of one that is changed. */
export function draftOf(row: ActionRow | null): ActionDraft {
  if (row === null) return empty
  const { tradingSymbol, isin, name, kind, factor } = row
  const isKnown = factor.new !== factor.old
  const more = kind === "BONUS" ? factor.new - factor.old : factor.new
  return {
    stock: { tradingSymbol: tradingSymbol ?? "", isin, name: name ?? isin, exchange: "NSE" },
    kind,
    exOn: row.exOn,
    recordOn: row.recordOn ?? "",
    more: isKnown ? String(more) : "",
    held: isKnown ? String(factor.old) : "",
    amount: row.amount ?? "",
    newIsin: row.newIsin ?? "",
    costShare: row.costShare ?? "",
    payOn: row.payOn ?? "",
  }
}

const wholeNumber = /^[1-9]\d{0,5}$/

/** What is missing or cannot be read before anything is sent. */
export function faultsOf({ stock, kind, exOn, more, held }: ActionDraft): DraftFaults {
  const faults: DraftFaults = {}
  if (stock === null) faults.stock = "Please choose a stock"
  if (exOn === "") faults.exOn = "Please select a valid date"
  const hasRatio = fieldsOf[kind].ratio !== null && (more.trim() !== "" || held.trim() !== "")
  if (hasRatio && !wholeNumber.test(more.trim())) faults.more = "A whole number from 1"
  if (hasRatio && !wholeNumber.test(held.trim())) faults.held = "A whole number from 1"
  return faults
}

/** What is sent; `replaces` is the action that is changed. */
export function bodyOf(draft: ActionDraft, replaces: string | null): ActionToEnter {
  const fields = fieldsOf[draft.kind]
  const [more, held] = [Number(draft.more), Number(draft.held)]
  const hasRatio = fields.ratio !== null && draft.more.trim() !== ""
  return {
    isin: draft.stock?.isin ?? "",
    tradingSymbol: "",
    exchange: draft.stock?.exchange ?? "NSE",
    kind: draft.kind,
    exOn: draft.exOn,
    recordOn: draft.recordOn || null,
    factor: hasRatio ? { new: draft.kind === "BONUS" ? more + held : more, old: held } : null,
    amount: fields.amount !== undefined && draft.amount !== "" ? draft.amount : null,
    newIsin: fields.newIsin === undefined ? "" : draft.newIsin.trim().toUpperCase(),
    costShare: fields.costShare && draft.costShare !== "" ? draft.costShare : null,
    payOn: (fields.payOn && draft.payOn) || null,
    replaces,
  }
}
