import { Check, Pencil, Trash2, X } from "lucide-react"
import { createContext, type KeyboardEvent, type ReactNode, use, useEffect, useRef } from "react"
import { date, today } from "@/lib/dates"
import { rupees } from "@/lib/format"
import { Button, IconButton } from "@/ui/button"
import { DateField } from "@/ui/form/date-field"
import { SelectField } from "@/ui/form/fields"
import { MoneyField } from "@/ui/form/number-fields"
import { type DraftField, flowNames } from "./accounting-drafts"
import styles from "./accounting.module.css"
import type { FlowType, Transaction } from "./queries"
import type { AccountingRow } from "./use-accounting"

export interface RowActs {
  change: (
    key: string,
    change: { date?: string; amount?: number | ""; type?: FlowType | "" },
  ) => void
  save: (row: AccountingRow) => void
  undo: (row: AccountingRow) => void
  edit: (transaction: Transaction) => void
  remove: (transaction: Transaction) => void
  /** The first day that counts; null until it is entered. */
  startedFrom: string | null
}

export const Acts = createContext<RowActs | null>(null)

function useActs(): RowActs {
  const acts = use(Acts)
  if (!acts) throw new Error("useActs needs the table around the row")
  return acts
}

const isButton = (target: EventTarget) => target instanceof Element && target.closest("button")

/** Enter saves the row, Escape cancels the edit. */
function Keys({ row, children }: { row: AccountingRow; children: ReactNode }) {
  const { save, undo } = useActs()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && !row.edited?.isSaving) undo(row)
    if (event.key !== "Enter" || isButton(event.target)) return
    event.preventDefault()
    save(row)
  }
  return (
    <div role="presentation" className={styles.field} data-row={row.key} onKeyDown={onKeyDown}>
      {children}
    </div>
  )
}

/** The accessible name of a row: "transaction of 02/03/2026". */
const nameOf = ({ transaction }: AccountingRow) =>
  transaction ? `transaction of ${date(transaction.date)}` : "new transaction"

const shared = (row: AccountingRow, field: DraftField) => ({
  error: row.edited?.faults[field],
  disabled: row.edited?.isSaving,
  name: field,
})

export function DateCell({ row, label }: { row: AccountingRow; label?: string }) {
  const { change, startedFrom } = useActs()
  const input = useRef<HTMLInputElement>(null)
  const isEdited = row.edited !== undefined
  useEffect(() => {
    if (isEdited) input.current?.focus()
  }, [isEdited])
  if (!row.edited) {
    const day = row.transaction?.date
    const isEarly = startedFrom !== null && day !== undefined && day < startedFrom
    return (
      <span className={styles.day}>
        {date(day)}
        {isEarly && (
          <span className={styles.early} title="Before Starting From, so it does not count.">
            Not counted<span className="sr-only">. Before Starting From.</span>
          </span>
        )}
      </span>
    )
  }
  return (
    <Keys row={row}>
      <DateField
        ref={input}
        label={label}
        aria-label={`Date of ${nameOf(row)}`}
        max={today()}
        value={row.edited.draft.date}
        {...shared(row, "date")}
        onChange={(day) => change(row.key, { date: day })}
      />
    </Keys>
  )
}

export function AmountCell({ row, label }: { row: AccountingRow; label?: string }) {
  const { change } = useActs()
  if (!row.edited) return rupees(row.transaction?.amount)
  return (
    <Keys row={row}>
      <MoneyField
        label={label ?? `Amount of ${nameOf(row)}`}
        hideLabel={!label}
        placeholder="Amount"
        value={row.edited.draft.amount}
        {...shared(row, "amount")}
        onChange={(amount) => change(row.key, { amount })}
      />
    </Keys>
  )
}

export function TypeCell({ row, label }: { row: AccountingRow; label?: string }) {
  const { change } = useActs()
  if (!row.edited) return row.transaction ? flowNames[row.transaction.type] : null
  return (
    <Keys row={row}>
      <SelectField
        label={label ?? `Cashflow type of ${nameOf(row)}`}
        hideLabel={!label}
        options={flowNames}
        placeholder="Select type"
        value={row.edited.draft.type}
        {...shared(row, "type")}
        onChange={(event) => change(row.key, { type: event.currentTarget.value as FlowType | "" })}
      />
    </Keys>
  )
}

export function ActionCell({ row }: { row: AccountingRow }) {
  const { save, undo, edit, remove } = useActs()
  const { transaction, edited } = row
  if (edited) {
    return (
      <span className={styles.actions}>
        <Button
          kind="primary"
          icon={<Check size={15} />}
          isBusy={edited.isSaving}
          onClick={() => save(row)}
        >
          Save
        </Button>
        <IconButton
          label={transaction ? `Cancel edit of ${nameOf(row)}` : "Cancel new transaction"}
          icon={<X size={16} />}
          disabled={edited.isSaving}
          onClick={() => undo(row)}
        />
      </span>
    )
  }
  if (!transaction) return null
  return (
    <span className={styles.actions}>
      <IconButton
        label={`Edit ${nameOf(row)}`}
        data-edits={row.key}
        icon={<Pencil size={15} />}
        onClick={() => edit(transaction)}
      />
      <IconButton
        label={`Delete ${nameOf(row)}`}
        icon={<Trash2 size={15} />}
        onClick={() => remove(transaction)}
      />
    </span>
  )
}
