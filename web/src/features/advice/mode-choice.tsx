import { MoneyField } from "@/ui/form/number-fields"
import { Segments } from "@/ui/form/segments"
import styles from "./advice.module.css"
import { type AdviceDraft, draft, type Mode } from "./draft"

const modes: Record<Mode, string> = {
  FULL: "Full rebalance",
  NEW_MONEY: "New money",
  RAISE_CASH: "Raise cash",
  EXITS_ONLY: "Exits only",
}

const explanations: Record<Mode, string> = {
  FULL: "Buys and sells each stock with a target, to come as near the targets as whole shares allow.",
  NEW_MONEY:
    "Only buys stocks below target, with the cash and what the Investment Value adds to the portfolio value.",
  RAISE_CASH:
    "Only sells, the stocks furthest above target first, until the amount is there after charges. A stock without a target is not sold.",
  EXITS_ONLY: "Sells all of each stock with a target of 0%. Nothing else is traded.",
}

/** What the rebalance may do: all of it, only buy, only sell for an amount, or only exit. */
export function ModeChoice({ advice }: { advice: AdviceDraft }) {
  const { mode, raiseAmount } = advice
  return (
    <div className={styles.mode}>
      <Segments
        label="Type of rebalance"
        choices={modes}
        value={mode}
        onChoice={(choice) => draft.edit({ mode: choice })}
      />
      {mode === "RAISE_CASH" && (
        <div className={styles.raise}>
          <MoneyField
            label="Amount to raise"
            value={raiseAmount}
            onChange={(amount) => draft.edit({ raiseAmount: amount }, "raiseAmount")}
            onBlur={draft.settle}
          />
        </div>
      )}
      <p className={styles.explanation} aria-live="polite">
        {explanations[mode]}
      </p>
    </div>
  )
}

/** Why the mode cannot be computed as it is; null when it can. */
export function refusalOfMode({ mode, raiseAmount, rows }: AdviceDraft): string | null {
  if (mode === "RAISE_CASH" && (raiseAmount === "" || raiseAmount <= 0))
    return "Enter the amount to raise: more than ₹0."
  if (mode === "EXITS_ONLY" && !rows.some((row) => row.target === 0 && row.quantity > 0))
    return "Exits only: set a target of 0% for each stock to be sold."
  return null
}
