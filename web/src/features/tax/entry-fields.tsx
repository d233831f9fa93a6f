import { today } from "@/lib/dates"
import { StockChoice } from "@/parts/stock-choice"
import { DateField } from "@/ui/form/date-field"
import { Field, SelectField } from "@/ui/form/fields"
import { MoneyField } from "@/ui/form/number-fields"
import type { EntryDraft, EntryFaults } from "./entry-draft"
import type { EntryKind } from "./queries"
import styles from "./tax.module.css"
import { entryWords } from "./words"

interface EntryFieldsProps {
  draft: EntryDraft
  faults: EntryFaults
  /** The stock of an entry that is changed, or of a row, stays. */
  isStockFixed: boolean
  onChange: (change: Partial<EntryDraft>) => void
}

/** The fields of shares that came or went without a known trade: those that the kind has. */
export function EntryFields({ draft, faults, isStockFixed, onChange }: EntryFieldsProps) {
  return (
    <>
      {isStockFixed ? (
        <p>
          <strong>{draft.stock?.tradingSymbol}</strong>{" "}
          <span className="muted">{draft.stock?.isin}</span>
        </p>
      ) : (
        <StockChoice
          stock={draft.stock && { ...draft.stock, exchange: "", name: draft.stock.isin }}
          error={faults.isin}
          onStock={({ isin, tradingSymbol }) => onChange({ stock: { isin, tradingSymbol } })}
        />
      )}
      <SelectField
        label="What happened"
        options={entryWords}
        value={draft.kind}
        onChange={(event) => onChange({ kind: event.currentTarget.value as EntryKind })}
      />
      <Field
        label="Shares"
        inputMode="numeric"
        maxLength={10}
        value={draft.quantity}
        error={faults.quantity}
        onChange={(event) => onChange({ quantity: event.currentTarget.value })}
      />
      <Days draft={draft} faults={faults} onChange={onChange} />
      {draft.kind !== "OUT" && (
        <MoneyField
          label={draft.kind === "BOUGHT" ? "Cost of all shares" : "Amount paid for all shares"}
          value={draft.amount}
          error={faults.amount}
          description="Before brokerage and charges. Leave it empty if it is not known."
          onChange={(amount) => onChange({ amount })}
        />
      )}
      <Field
        label="Demat account (optional)"
        maxLength={60}
        value={draft.demat}
        error={faults.demat}
        description="Empty for the account at the client's broker. Lots of another account are not compared with the holdings."
        onChange={(event) => onChange({ demat: event.currentTarget.value })}
      />
    </>
  )
}

function Days({ draft, faults, onChange }: Omit<EntryFieldsProps, "isStockFixed">) {
  const isBought = draft.kind === "BOUGHT"
  return (
    <div className={isBought ? styles.pair : undefined}>
      {isBought && (
        <DateField
          label="Bought on"
          max={today()}
          value={draft.boughtOn}
          error={faults.boughtOn}
          onChange={(boughtOn) => onChange({ boughtOn })}
        />
      )}
      <DateField
        label={isBought ? "Came in on (optional)" : "On"}
        max={today()}
        value={draft.movedOn}
        error={faults.movedOn}
        description={isBought ? "If later than the purchase, as after a transfer." : undefined}
        onChange={(movedOn) => onChange({ movedOn })}
      />
    </div>
  )
}
