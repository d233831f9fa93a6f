import { useState } from "react"
import { SelectField } from "@/ui/form/fields"
import { MoneyField, PercentField } from "@/ui/form/number-fields"
import styles from "./rebalance-options.module.css"

/** Options that differ from the firm's settings: percents of the investment, rupees, and two switches. */
export interface RebalanceOptions {
  bandPercentage?: number
  minimumTradeValue?: number
  priceBufferPercentage?: number
  includeCharges?: boolean
  allowFreshFunds?: boolean
}

/** The options among those of a rebalance that have a field here. */
export const optionNames: readonly (keyof RebalanceOptions)[] = [
  "bandPercentage",
  "minimumTradeValue",
  "priceBufferPercentage",
  "includeCharges",
  "allowFreshFunds",
]

const FIRM = "Firm's setting"
const advanced = ["bandPercentage", "priceBufferPercentage", "includeCharges"] as const
const answers = { yes: "Yes", no: "No" }

interface RebalanceOptionFieldsProps {
  options: RebalanceOptions
  onChange: (options: RebalanceOptions) => void
  /** With the options that a rebalance of the whole book does not offer. */
  isFull?: boolean
}

/** How trades are computed; the firm's setting applies to each option that is not set. */
export function RebalanceOptionFields({ options, onChange, isFull }: RebalanceOptionFieldsProps) {
  const set = (name: keyof RebalanceOptions, choice: number | boolean | "") => {
    const chosen: [string, unknown][] = Object.entries({ ...options, [name]: choice })
    onChange(Object.fromEntries(chosen.filter(([, value]) => value !== "")))
  }
  const number = (name: "bandPercentage" | "minimumTradeValue" | "priceBufferPercentage") => ({
    placeholder: FIRM,
    value: options[name] ?? ("" as const),
    onChange: (choice: number | "") => set(name, choice),
  })
  const toggle = (name: "includeCharges" | "allowFreshFunds") => ({
    placeholder: FIRM,
    options: answers,
    value: options[name] === undefined ? "" : options[name] ? "yes" : "no",
    onChange: ({ currentTarget: { value } }: { currentTarget: HTMLSelectElement }) =>
      set(name, value === "" ? "" : value === "yes"),
  })
  // Open at first where one of them differs from the firm's setting.
  const [isOpen] = useState(() => advanced.some((name) => name in options))
  const band = <PercentField label="Ignore drift below" {...number("bandPercentage")} />
  return (
    <>
      {!isFull && band}
      <MoneyField
        label="Skip trades under"
        data-autofocus={isFull}
        {...number("minimumTradeValue")}
      />
      <SelectField label="Allow fresh funds" {...toggle("allowFreshFunds")} />
      {isFull && (
        <details className={styles.advanced} open={isOpen}>
          <summary>Advanced</summary>
          <div>
            {band}
            <PercentField label="Price buffer on purchases" {...number("priceBufferPercentage")} />
            <SelectField label="Include charges in the budget" {...toggle("includeCharges")} />
          </div>
        </details>
      )}
    </>
  )
}
