import type { ReactNode } from "react"
import { date } from "@/lib/dates"
import { rupees } from "@/lib/format"
import { Change } from "@/ui/money"
import { StatusPill } from "@/ui/status-pill"
import {
  applied,
  charged,
  FeeButtons,
  type InvoiceCell,
  netGain,
  type RowActs,
} from "./fee-columns"
import { type FeeFields, isEditable, type ShownFee } from "./fee-drafts"
import { FeeInput, fieldNames } from "./fee-input"
import styles from "./fees.module.css"
import { feeNowOf } from "./flows-changed"
import { wordsOf } from "./over-limit"
import type { FeeRow } from "./queries"

interface FeeCardProps {
  row: ShownFee
  acts: RowActs
  invoices: InvoiceCell | null
}

/** A fee on a phone: the period and the fee first, then the figures, or the fields while it is in hand. */
export function FeeCard({ row, acts, invoices }: FeeCardProps) {
  const { fee, draft } = row
  const names = Object.keys(fieldNames) as (keyof FeeFields)[]
  return (
    <div className={styles.card}>
      <div className={styles.cardHead}>
        <strong>{fee === null ? "New row" : periodOf(fee)}</strong>
        {charged(fee)}
      </div>
      {fee && draft === null && <FeeFacts fee={fee} />}
      {fee?.limit && <p className={styles.limit}>{wordsOf(fee.limit)}</p>}
      {fee?.flowsChanged && <p className={styles.limit}>{feeNowOf(fee.flowsChanged)}</p>}
      {draft && (
        <div className={styles.fields}>
          {names
            .filter((name) => isEditable(draft, name) && !isPayment(name))
            .map((name) => (
              <FeeInput key={name} name={name} draft={draft} acts={acts} />
            ))}
        </div>
      )}
      {invoices?.(row)}
      <div className={styles.cardFoot}>
        {fee && draft === null && <StatusPill word={fee.status} />}
        <FeeButtons row={row} acts={acts} />
      </div>
    </div>
  )
}

function FeeFacts({ fee }: { fee: FeeRow }) {
  const facts: [name: string, value: ReactNode][] = [
    [fieldNames.dueDate, date(fee.dueDate)],
    [fieldNames.paidDate, date(fee.paidDate)],
    [fieldNames.startingValue, rupees(fee.startingValue)],
    [fieldNames.finalValue, rupees(fee.finalValue)],
    ["Net Gain", netGain(fee)],
    ["Applicable %", applied(fee)],
    ["Net Gain After Fees", <Change key="after" value={fee.netGainAfterFees} />],
  ]
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Fields that the part about the invoice has. */
const isPayment = (name: keyof FeeFields) => name === "modeOfPayment" || name === "reference"

const periodOf = (fee: FeeRow) =>
  fee.finalDate === null
    ? `From ${date(fee.startingDate)}`
    : `${date(fee.startingDate)} – ${date(fee.finalDate)}`
