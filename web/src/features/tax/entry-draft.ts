import { today } from "@/lib/dates"
import type { EnteredLot, Entry, EntryKind } from "./queries"

/** A stock as an entry names it. */
export interface EntryStock {
  isin: string
  tradingSymbol: string
}

export interface EntryDraft {
  kind: EntryKind
  stock: EntryStock | null
  quantity: string
  boughtOn: string
  movedOn: string
  amount: number | ""
  demat: string
}

export type EntryFaults = Partial<Record<string, string>>

/** The draft of a new entry, of a stock if one is given, or of an entry that is changed. */
export function entryDraft(stock: EntryStock | null, edited: Entry | null): EntryDraft {
  return {
    kind: edited?.kind ?? "BOUGHT",
    stock,
    quantity: edited ? String(edited.quantity) : "",
    boughtOn: edited?.boughtOn ?? "",
    movedOn: edited?.movedOn ?? "",
    amount: edited?.amount ?? "",
    demat: edited?.demat ?? "",
  }
}

/** What must be corrected before the entry is sent, by field. */
export function entryFaults(draft: EntryDraft): EntryFaults {
  const faults: EntryFaults = {}
  const isBought = draft.kind === "BOUGHT"
  if (draft.stock === null) faults.isin = "Please choose a stock"
  if (!/^[1-9]\d{0,9}$/.test(draft.quantity.trim()))
    faults.quantity = "Please enter a whole number of shares"
  if (isBought && draft.boughtOn === "") faults.boughtOn = "Please select a valid date"
  if (!isBought && draft.movedOn === "") faults.movedOn = "Please select a valid date"
  for (const name of ["boughtOn", "movedOn"] as const)
    if (draft[name] > today()) faults[name] = "The day cannot be in the future."
  if (isBought && draft.movedOn !== "" && draft.boughtOn > draft.movedOn)
    faults.movedOn = "Shares cannot come in before their purchase."
  return faults
}

export function entryBody(draft: EntryDraft): EnteredLot {
  const { kind } = draft
  const isBought = kind === "BOUGHT"
  return {
    kind,
    isin: draft.stock?.isin ?? "",
    quantity: Number(draft.quantity),
    boughtOn: isBought ? draft.boughtOn : null,
    movedOn: draft.movedOn === "" ? null : draft.movedOn,
    amount: kind === "OUT" || draft.amount === "" ? null : draft.amount,
    demat: draft.demat.trim(),
  }
}
