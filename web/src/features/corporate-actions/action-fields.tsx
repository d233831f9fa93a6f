import { StockChoice } from "@/parts/stock-choice"
import { DateField } from "@/ui/form/date-field"
import { Field, SelectField } from "@/ui/form/fields"
import { PercentField, RateField } from "@/ui/form/number-fields"
import { type ActionDraft, type DraftFaults, fieldsOf } from "./action-draft"
import styles from "./corporate-actions.module.css"
import type { ActionKind } from "./queries"
import { kindWords } from "./words"

interface ActionFieldsProps {
  draft: ActionDraft
  faults: DraftFaults
  /** The stock of an action that is changed stays. */
  isStockFixed: boolean
  onChange: (change: Partial<ActionDraft>) => void
}

const fromBroker = "If empty, it is taken from the broker when the broker shows it."

/** The fields of an action: those that its kind has. */
export function ActionFields({ draft, faults, isStockFixed, onChange }: ActionFieldsProps) {
  const fields = fieldsOf[draft.kind]
  return (
    <>
      {isStockFixed ? (
        <p>
          <strong>{draft.stock?.tradingSymbol || draft.stock?.isin}</strong>{" "}
          <span className="muted">{draft.stock?.name}</span>
        </p>
      ) : (
        <StockChoice
          stock={draft.stock}
          error={faults.stock ?? faults.isin}
          onStock={(stock) => onChange({ stock })}
        />
      )}
      <SelectField
        label="Action"
        options={kindWords}
        value={draft.kind}
        onChange={(event) => onChange({ kind: event.currentTarget.value as ActionKind })}
      />
      <div className={styles.pair}>
        <DateField
          label="Ex-date"
          value={draft.exOn}
          error={faults.exOn}
          onChange={(exOn) => onChange({ exOn })}
        />
        <DateField
          label="Record date (optional)"
          value={draft.recordOn}
          error={faults.recordOn}
          onChange={(recordOn) => onChange({ recordOn })}
        />
      </div>
      {fields.ratio && <Ratio draft={draft} faults={faults} onChange={onChange} />}
      {fields.amount && (
        <RateField
          label={fields.amount}
          unit="rupees"
          value={draft.amount}
          error={faults.amount}
          onChange={(amount) => onChange({ amount })}
        />
      )}
      {fields.payOn && (
        <DateField
          label="Payment date (optional)"
          value={draft.payOn}
          error={faults.payOn}
          description="Exchanges' lists do not say it; the company's notice does."
          onChange={(payOn) => onChange({ payOn })}
        />
      )}
      {fields.newIsin && (
        <Field
          label={`${fields.newIsin} (optional)`}
          maxLength={12}
          value={draft.newIsin}
          error={faults.newIsin}
          description={fields.newIsin === "New ISIN" ? fromBroker : undefined}
          onChange={(event) => onChange({ newIsin: event.currentTarget.value })}
        />
      )}
      {fields.costShare && (
        <PercentField
          label="Share of the cost (optional)"
          value={draft.costShare}
          error={faults.costShare}
          description="The part of the cost that goes to the resulting company, as published."
          onChange={(costShare) => onChange({ costShare })}
        />
      )}
    </>
  )
}

/** The two numbers of a ratio; what the server says about it is shown at the first. */
function Ratio({ draft, faults, onChange }: Omit<ActionFieldsProps, "isStockFixed">) {
  const [first, second] = fieldsOf[draft.kind].ratio ?? ["", ""]
  return (
    <div className={styles.pair}>
      <Field
        label={first}
        inputMode="numeric"
        maxLength={6}
        value={draft.more}
        error={faults.more ?? faults.factor}
        onChange={(event) => onChange({ more: event.currentTarget.value })}
      />
      <Field
        label={second}
        inputMode="numeric"
        maxLength={6}
        value={draft.held}
        error={faults.held}
        onChange={(event) => onChange({ held: event.currentTarget.value })}
      />
    </div>
  )
}
