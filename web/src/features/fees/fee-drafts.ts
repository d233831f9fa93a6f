import { useState } from "react"
import { today } from "@/lib/dates"
import type { PaymentMode } from "./invoice-queries"
import type { ChangedFee, FeeRow, FeeStatus, NewFee } from "./queries"

/** The fields of a fee; days and sums are empty text until they are entered. */
export interface FeeFields {
  startingDate: string
  dueDate: string
  finalDate: string
  startingValue: number | ""
  finalValue: number | ""
  status: FeeStatus
  paidDate: string
  modeOfPayment: PaymentMode | ""
  reference: string
}

/** A row in hand: a new one, or an existing one that is edited. */
export interface FeeDraft extends FeeFields {
  key: string
  /** The row as it was when the editing began; null for a new one. */
  fee: FeeRow | null
  /** The starting value that the server suggested; a new suggestion replaces it unless the user changed it. */
  suggested?: number
  /** Fields that a save found empty. */
  lacking: (keyof FeeFields)[]
}

/** A row of the table: what is stored, what is in hand, or both. */
export interface ShownFee {
  key: string
  fee: FeeRow | null
  draft: FeeDraft | null
}

const empty: Omit<FeeDraft, "key"> = {
  fee: null,
  startingDate: "",
  dueDate: "",
  finalDate: "",
  startingValue: "",
  finalValue: "",
  status: "DUE",
  paidDate: "",
  modeOfPayment: "",
  reference: "",
  lacking: [],
}

const draftOf = (fee: FeeRow): FeeDraft => ({
  key: fee._id,
  fee,
  startingDate: fee.startingDate,
  dueDate: fee.dueDate ?? "",
  finalDate: fee.finalDate ?? "",
  startingValue: fee.startingValue,
  finalValue: fee.finalValue ?? "",
  status: fee.status,
  paidDate: fee.paidDate ?? "",
  modeOfPayment: fee.modeOfPayment ?? "",
  reference: fee.reference,
  lacking: [],
})

const whenNew: (keyof FeeFields)[] = [
  "startingDate",
  "dueDate",
  "finalDate",
  "startingValue",
  "finalValue",
]
const whenKept: (keyof FeeFields)[] = ["dueDate", "finalDate", "status", "paidDate"]

/** What may be typed in this row; the final value of a kept one only while its period is open. */
export function isEditable(draft: FeeDraft, field: keyof FeeFields): boolean {
  if (draft.fee === null) return whenNew.includes(field)
  if (field === "modeOfPayment" || field === "reference") return draft.status === "PAID"
  if (field === "finalValue") return draft.fee.finalValue === null
  return whenKept.includes(field)
}

/** Fields that the specification wants of a new row and that are empty. */
export const lackingOf = (draft: FeeDraft): (keyof FeeFields)[] =>
  draft.fee === null
    ? (["startingDate", "startingValue", "finalValue"] as const).filter((it) => draft[it] === "")
    : []

/** A final date fills an empty due date; PAID means today unless entered; DUE clears the paid date. */
export function changed(draft: FeeDraft, change: Partial<FeeFields>): FeeDraft {
  const next = { ...draft, ...change }
  // A typed date passes through years such as 0002; the copy follows until it is edited itself.
  const isCopy = draft.dueDate === draft.finalDate && !draft.fee?.dueDate
  if (change.finalDate && (next.dueDate === "" || isCopy)) next.dueDate = change.finalDate
  if (change.status === "PAID" && next.paidDate === "") next.paidDate = today()
  if (change.status === "DUE") next.paidDate = ""
  next.lacking = next.lacking.filter((field) => next[field] === "")
  return next
}

/** The body of the call that creates the row; `lackingOf` found nothing. */
export const newFeeOf = (draft: FeeDraft): NewFee => ({
  startingDate: draft.startingDate,
  dueDate: draft.dueDate || null,
  finalDate: draft.finalDate || null,
  startingValue: Number(draft.startingValue),
  finalValue: Number(draft.finalValue),
})

/** The body of the call that updates the row, with the version that was seen. */
export const changedFeeOf = (fee: FeeRow, draft: FeeDraft): ChangedFee => ({
  feeId: fee._id,
  version: fee.version,
  dueDate: draft.dueDate || null,
  finalDate: draft.finalDate || null,
  status: draft.status,
  paidDate: draft.paidDate || null,
  ...(draft.status === "PAID"
    ? { modeOfPayment: draft.modeOfPayment || null, reference: draft.reference }
    : {}),
  ...(fee.finalValue === null && draft.finalValue !== "" ? { finalValue: draft.finalValue } : {}),
})

let lastNew = 0

/** The rows in hand: any number of new ones, above the kept ones, and those whose pencil was pressed. */
export function useFeeDrafts() {
  const [drafts, setDrafts] = useState<FeeDraft[]>([])
  return {
    drafts,
    /** Adds an empty row; answers its key. */
    add: () => {
      lastNew += 1
      const key = `new-${lastNew}`
      setDrafts((old) => [{ ...empty, key }, ...old])
      return key
    },
    edit: (fee: FeeRow) =>
      setDrafts((old) => [...old.filter(({ key }) => key !== fee._id), draftOf(fee)]),
    change: (key: string, change: Partial<FeeFields>) =>
      setDrafts((old) => old.map((each) => (each.key === key ? changed(each, change) : each))),
    /** Fills in the starting value of a period from that day, unless one was typed meanwhile. */
    fillStart: (key: string, startingDate: string, startingValue: number) =>
      setDrafts((old) =>
        old.map((each) =>
          each.key === key &&
          each.startingDate === startingDate &&
          (each.startingValue === "" || each.startingValue === each.suggested)
            ? { ...changed(each, { startingValue }), suggested: startingValue }
            : each,
        ),
      ),
    mark: (key: string, lacking: (keyof FeeFields)[]) =>
      setDrafts((old) => old.map((each) => (each.key === key ? { ...each, lacking } : each))),
    drop: (key: string) => setDrafts((old) => old.filter((each) => each.key !== key)),
  }
}

/** New rows first, then the kept ones, each with what is in hand of it. */
export const rowsOf = (fees: FeeRow[], drafts: FeeDraft[]): ShownFee[] => [
  ...drafts
    .filter(({ fee }) => fee === null)
    .map((draft) => ({ key: draft.key, fee: null, draft })),
  ...fees.map((fee) => ({
    key: fee._id,
    fee,
    draft: drafts.find(({ key }) => key === fee._id) ?? null,
  })),
]
