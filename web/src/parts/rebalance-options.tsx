import { SelectField } from "@/ui/form/fields"
import { MoneyField, PercentField } from "@/ui/form/number-fields"

/** Options that differ from the firm's settings: percents of the investment, rupees, and two switches. */
export interface RebalanceOptions {
  bandPercentage?: number
  minimumTradeValue?: number
  priceBufferPercentage?: number
  includeCharges?: boolean
  allowFreshFunds?: boolean
}

const FIRM = "Firm's setting"
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
  return (
    <>
      <PercentField
        label="Ignore drift below"
        data-autofocus={isFull}
        {...number("bandPercentage")}
      />
      <MoneyField label="Skip trades under" {...number("minimumTradeValue")} />
      {isFull && (
        <>
          <PercentField label="Price buffer on purchases" {...number("priceBufferPercentage")} />
          <SelectField label="Include charges in the budget" {...toggle("includeCharges")} />
        </>
      )}
      <SelectField label="Allow fresh funds" {...toggle("allowFreshFunds")} />
    </>
  )
}
