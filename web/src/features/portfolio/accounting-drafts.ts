import * as z from "zod/mini"
import { today } from "@/lib/dates"
import { faultsOf } from "@/ui/form/use-zod-form"
import type { FlowType, Transaction, TransactionEdit } from "./queries"

/** The specification's names of the two kinds of flow. */
export const flowNames: Record<FlowType, string> = {
  FUNDS_ADDED: "Fund Added",
  FUNDS_WITHDRAWN: "Fund Withdrawl",
}

/** A row that is being written: a new one, or a transaction that is being corrected. */
export interface Draft {
  /** Null for a new row. */
  id: string | null
  /** The state of the transaction that the person saw. */
  version: number | null
  date: string
  amount: number | ""
  type: FlowType | ""
}

export type DraftField = "date" | "amount" | "type"
export type Faults = Partial<Record<DraftField, string>>

export const newDraft = (): Draft => ({
  id: null,
  version: null,
  date: "",
  amount: "",
  type: "",
})

export const draftOf = ({ _id, version, date, amount, type }: Transaction): Draft => ({
  id: _id,
  version,
  date,
  amount,
  type,
})

const schema = z.object({
  date: z.iso
    .date("Please select a valid date")
    .check(z.refine((day) => day <= today(), "Please select a valid date")),
  amount: z.number("Please enter a valid amount").check(z.gt(0, "Please enter a valid amount")),
  type: z.enum(["FUNDS_ADDED", "FUNDS_WITHDRAWN"], "Please select cashflow type"),
})

/** What is wrong with a draft, by field; nothing when it can be saved. */
export const faultsOfDraft = (draft: Draft): Faults => faultsOf(schema, draft)

/** The draft as it is sent; the caller has seen that nothing is wrong with it. */
export const editOf = (draft: Draft): TransactionEdit => ({
  ...z.parse(schema, draft),
  id: draft.id,
  version: draft.version,
})

/** Added less withdrawn, in rupees; paise add up exactly. */
export const netOf = (flows: Transaction[]) =>
  flows.reduce((sum, { amount, type }) => {
    const paise = Math.round(amount * 100)
    return type === "FUNDS_ADDED" ? sum + paise : sum - paise
  }, 0) / 100
