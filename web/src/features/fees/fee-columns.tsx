import { History, Pencil, Trash2, Undo2, X } from "lucide-react"
import type { ReactNode } from "react"
import { date, longDate } from "@/lib/dates"
import { missing, percent, rupees } from "@/lib/format"
import { Button, IconButton } from "@/ui/button"
import { Change } from "@/ui/money"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import { type FeeFields, isEditable, type ShownFee } from "./fee-drafts"
import { type FeeActs, FeeInput, fieldNames } from "./fee-input"
import styles from "./fees.module.css"
import { FLOWS_CHANGED, feeNowOf } from "./flows-changed"
import { OverLimit } from "./over-limit"
import type { FeeRow } from "./queries"

export interface RowActs extends FeeActs {
  onEdit: (fee: FeeRow) => void
  onDelete: (row: ShownFee) => void
  onRefund: (fee: FeeRow) => void
}

/** The buttons of a row: Save while it is in hand, else the pencil; Delete, or Refund once there is an invoice. */
export function FeeButtons({ row, acts }: { row: ShownFee; acts: RowActs }) {
  const { fee, draft } = row
  const name = fee === null ? "new row" : `fee of ${date(fee.startingDate)}`
  const isBusy = acts.isBusy(row.key)
  return (
    <span className={styles.buttons}>
      {draft && (
        <Button isBusy={isBusy} onClick={() => acts.onSave(draft)}>
          Save
        </Button>
      )}
      {draft === null && fee !== null && (
        <IconButton
          label={`Edit ${name}`}
          icon={<Pencil size={15} aria-hidden="true" />}
          disabled={isBusy}
          onClick={() => acts.onEdit(fee)}
        />
      )}
      {draft?.fee && (
        <IconButton
          label={`Cancel the edits of ${name}`}
          icon={<X size={15} aria-hidden="true" />}
          disabled={isBusy}
          onClick={() => acts.onCancel(draft)}
        />
      )}
      {!draft && !!fee?.invoice?.left && (
        <IconButton
          label={`Refund the ${name}`}
          icon={<Undo2 size={15} aria-hidden="true" />}
          onClick={() => acts.onRefund(fee)}
        />
      )}
      {!draft?.fee && !fee?.invoice && (
        <IconButton
          label={`Delete ${name}`}
          icon={<Trash2 size={15} aria-hidden="true" />}
          disabled={isBusy}
          onClick={() => acts.onDelete(row)}
        />
      )}
    </span>
  )
}

/** What the applied percentage goes back to. */
const termsOf = (fee: FeeRow) =>
  fee.scheduleFrom === null ? undefined : `Fee schedule from ${longDate(fee.scheduleFrom)}`

export const applied = (fee: FeeRow | null) =>
  fee && <span title={termsOf(fee)}>{percent(fee.applicablePercentage)}</span>

export const netGain = (fee: FeeRow | null) =>
  fee && (
    <span
      title={
        fee.netFundsAdded
          ? `Net funds added inside the period: ${rupees(fee.netFundsAdded)}`
          : undefined
      }
    >
      {fee.netGain === null ? (
        missing
      ) : (
        <Change value={fee.netGain} percentage={fee.netGainPercentage} />
      )}
    </span>
  )

export const charged = (fee: FeeRow | null, isSmall = false) =>
  fee && (
    <span className={styles.charged}>
      <OverLimit limit={fee.limit} isSmall={isSmall} />
      {fee.flowsChanged && isSmall && (
        <span title={feeNowOf(fee.flowsChanged)} className={styles.mark}>
          <History size={14} aria-hidden="true" />
          <span className="sr-only">{FLOWS_CHANGED}</span>
        </span>
      )}
      {rupees(fee.fees)}
    </span>
  )

/** What a row shows of its payment and its invoice. */
export type InvoiceCell = (row: ShownFee) => ReactNode

/** The columns of a client's fees, with `invoices` where the firm has any; rows being edited have fields. */
export function feeColumns(acts: RowActs, invoices: InvoiceCell | null): Column<ShownFee>[] {
  const field = (
    name: keyof FeeFields,
    shown: (fee: FeeRow) => ReactNode,
    more: Partial<Column<ShownFee>> = {},
  ): Column<ShownFee> => ({
    title: fieldNames[name],
    cell: ({ fee, draft }) =>
      draft && isEditable(draft, name) ? (
        <FeeInput name={name} draft={draft} acts={acts} hideLabel />
      ) : (
        fee && shown(fee)
      ),
    ...more,
  })
  const right = { align: "right" } as const
  return [
    field("startingDate", (fee) => date(fee.startingDate)),
    ...(invoices === null ? [] : [{ title: "Invoice", cell: invoices }]),
    field("dueDate", (fee) => date(fee.dueDate)),
    field("finalDate", (fee) => date(fee.finalDate)),
    field("startingValue", (fee) => rupees(fee.startingValue), right),
    field("finalValue", (fee) => rupees(fee.finalValue), right),
    { title: "Net Gain", cell: ({ fee }) => netGain(fee), ...right },
    { title: "Applicable %", cell: ({ fee }) => applied(fee), ...right },
    { title: "Fees", cell: ({ fee }) => charged(fee, true), ...right },
    {
      title: "Net Gain After Fees",
      cell: ({ fee }) => fee && <Change value={fee.netGainAfterFees} />,
      ...right,
    },
    field("status", (fee) => <StatusPill word={fee.status} />),
    field("paidDate", (fee) => date(fee.paidDate)),
    {
      title: "Actions",
      hideTitle: true,
      cell: (row) => <FeeButtons row={row} acts={acts} />,
      ...right,
    },
  ]
}
