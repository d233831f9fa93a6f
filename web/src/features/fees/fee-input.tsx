import type { KeyboardEvent } from "react"
import { rupees } from "@/lib/format"
import { DateField } from "@/ui/form/date-field"
import { Field, SelectField } from "@/ui/form/fields"
import { MoneyField } from "@/ui/form/number-fields"
import { type FeeDraft, type FeeFields, isEditable } from "./fee-drafts"
import styles from "./fees.module.css"
import { MODES, type PaymentMode } from "./invoice-queries"
import { FEE_STATUSES, type FeeStatus } from "./queries"

/** What is done with the rows in hand. */
export interface FeeActs {
  onChange: (key: string, change: Partial<FeeFields>) => void
  onSave: (draft: FeeDraft) => void
  onCancel: (draft: FeeDraft) => void
  isBusy: (key: string) => boolean
}

export const fieldNames: Record<keyof FeeFields, string> = {
  startingDate: "Starting Date",
  dueDate: "Due Date",
  finalDate: "Final Date",
  startingValue: "Starting Value",
  finalValue: "Final Value",
  status: "Status",
  paidDate: "Paid Date",
  modeOfPayment: "Mode of Payment",
  reference: "Reference",
}

/** How much a final value is suggested to be over the starting value. */
const SUGGESTED = 1.1

interface FeeInputProps {
  name: keyof FeeFields
  draft: FeeDraft
  acts: FeeActs
  /** In a table the column's head is the label. */
  hideLabel?: boolean
}

/** One field of a row in hand. Enter saves the row; Escape gives up the edits of a kept one. */
export function FeeInput({ name, draft, acts, hideLabel = false }: FeeInputProps) {
  const label = fieldNames[name]
  const isLacking = draft.lacking.includes(name)
  const set = (change: Partial<FeeFields>) => acts.onChange(draft.key, change)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") acts.onSave(draft)
    if (event.key === "Escape" && draft.fee !== null) acts.onCancel(draft)
  }
  return (
    // The keys of the field inside reach it from here.
    // eslint-disable-next-line jsx-a11y-x/no-static-element-interactions
    <div className={hideLabel ? styles.cell : undefined} data-field={name} onKeyDown={onKeyDown}>
      {name === "startingValue" || name === "finalValue" ? (
        <MoneyField
          label={label}
          hideLabel={hideLabel}
          value={draft[name]}
          error={isLacking}
          placeholder={
            name === "finalValue" && draft.startingValue !== ""
              ? rupees(draft.startingValue * SUGGESTED)
              : undefined
          }
          onChange={(value) => set({ [name]: value })}
        />
      ) : name === "status" ? (
        <SelectField
          label={label}
          hideLabel={hideLabel}
          options={[...FEE_STATUSES]}
          value={draft.status}
          disabled={draft.fee?.fees === null || isInvoiced(draft)}
          onChange={(event) => set({ status: event.currentTarget.value as FeeStatus })}
        />
      ) : name === "modeOfPayment" ? (
        <SelectField
          label={label}
          options={MODES}
          placeholder="Choose"
          disabled={isInvoiced(draft)}
          value={draft.modeOfPayment}
          onChange={(event) => set({ modeOfPayment: event.currentTarget.value as PaymentMode })}
        />
      ) : name === "reference" ? (
        <Field
          label={label}
          maxLength={60}
          disabled={isInvoiced(draft)}
          value={draft.reference}
          onChange={(event) => set({ reference: event.currentTarget.value })}
        />
      ) : (
        <DateField
          label={hideLabel ? undefined : label}
          aria-label={hideLabel ? label : undefined}
          value={draft[name]}
          error={isLacking}
          disabled={isFixed(draft, name)}
          data-autofocus={name === firstField(draft) || undefined}
          onChange={(day) => set({ [name]: day })}
        />
      )}
    </div>
  )
}

/** What an invoice says of a payment stays. */
const isInvoiced = (draft: FeeDraft) => !!draft.fee?.invoice

/** A paid fee keeps its period, and what is due has no paid date. */
const isFixed = (draft: FeeDraft, name: keyof FeeFields) =>
  (name === "paidDate" && (draft.status === "DUE" || isInvoiced(draft))) ||
  (name === "finalDate" && draft.fee?.status === "PAID" && draft.status === "PAID")

const firstField = (draft: FeeDraft) =>
  isEditable(draft, "startingDate") ? "startingDate" : "dueDate"
