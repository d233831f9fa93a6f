import { useEffect } from "react"
import { usePriceBeat } from "@/live/use-last-price"
import { MoneyField } from "@/ui/form/number-fields"
import { Button } from "@/ui/button"
import styles from "./advice.module.css"
import { type AdviceDraft, draft } from "./draft"
import { priceOf } from "./row-changes"
import { type AdviceRow, amountOf, rupeesOf } from "./targets"

const UNITS_OF_A_PAISA = 100n

/** Holdings and cash at the prices of now, in rupees to the paisa; stocks without a price are left out. */
function liveValueOf(held: AdviceRow[]): number {
  const units = held.reduce((sum, row) => sum + (amountOf(row, priceOf(row)) ?? 0n), 0n)
  return rupeesOf(((units + UNITS_OF_A_PAISA / 2n) / UNITS_OF_A_PAISA) * UNITS_OF_A_PAISA)
}

const isFocused = () => document.activeElement?.closest("[data-investment]") != null

/** The Investment Value: that of holdings and cash as the prices move, until a person types one. */
export function InvestmentField({ advice }: { advice: AdviceDraft }) {
  const { client, followsValue, investment, held } = advice
  usePriceBeat()
  const value = client && held.length > 0 ? liveValueOf(held) : null
  // After each drawing: an undone step brings an older value back.
  useEffect(() => {
    // What is selected in the field must stay selected: the first key replaces it.
    if (followsValue && value !== null && !isFocused()) draft.follow(value)
  })
  return (
    <div className={styles.investment} data-investment>
      <MoneyField
        label="Investment Value"
        value={investment}
        onChange={(typed) => draft.edit({ investment: typed, followsValue: false }, "investment")}
        onBlur={draft.settle}
      />
      {client && !followsValue && (
        <span className={styles.follow}>
          <Button
            kind="subtle"
            onClick={() =>
              draft.edit({ followsValue: true, ...(value === null ? {} : { investment: value }) })
            }
          >
            Follow live value
          </Button>
        </span>
      )}
    </div>
  )
}
