import * as z from "zod/mini"
import { faultsOf } from "@/ui/form/use-zod-form"
import { pastDayField } from "./account-fields"
import type { FlowType, Transaction, TransactionEdit } from "./queries"

/** The specification's names of the two kinds of flow. */
export const flowNames: Record<FlowType, string> = {
  FUNDS_ADDED: "Fund Added",
  FUNDS_WITHDRAWN: "Fund Withdrawl",
}

/** A row in editing: a new one, or an existing transaction. */
export interface Draft {
  /** Null for a new row. */
  id: string | null
  /** The version of the transaction that was read. */
  version: number | null
  date: string
  amount: number | ""
  type: FlowType | ""
}

export type DraftField = "date" | "amount" | "type"
export type Faults = Partial<Record<DraftField, string>>

export const newDraft = (): Draft => ({ id: null, version: null, date: "", amount: "", type: "" })

export const draftOf = ({ _id, version, date, amount, type }: Transaction): Draft => ({
  id: _id,
  version,
  date,
  amount,
  type,
})

const schema = z.object({
  date: pastDayField,
  amount: z.number("Please enter a valid amount").check(z.gt(0, "Please enter a valid amount")),
  type: z.enum(["FUNDS_ADDED", "FUNDS_WITHDRAWN"], "Please select cashflow type"),
})

/** The errors of a draft by field; empty when it can be saved. */
export const faultsOfDraft = (draft: Draft): Faults => faultsOf(schema, draft)

/** The body of the call; only for a draft without errors. */
export const editOf = (draft: Draft): TransactionEdit => ({
  ...z.parse(schema, draft),
  id: draft.id,
  version: draft.version,
})

/** Deposits less withdrawals, in rupees; paise add up exactly. */
export const netOf = (flows: Transaction[]) =>
  flows.reduce((sum, { amount, type }) => {
    const paise = Math.round(amount * 100)
    return type === "FUNDS_ADDED" ? sum + paise : sum - paise
  }, 0) / 100
