import { percent, rupees } from "@/lib/format"
import { SelectField } from "@/ui/form/fields"
import { MoneyField, PercentField } from "@/ui/form/number-fields"
import type { Run, RunOptions } from "./types"

const FIRM = "Firm's setting"
const answers = { yes: "Yes", no: "No" }
const answerOf = (choice: boolean | undefined) =>
  choice === undefined ? "" : choice ? "yes" : "no"

interface RunOptionsFieldsProps {
  options: RunOptions
  onChange: (options: RunOptions) => void
}

/** How the trades of every client are computed; labelled as in the advice of one client. */
export function RunOptionsFields({ options, onChange }: RunOptionsFieldsProps) {
  const set = <Name extends keyof RunOptions>(name: Name, choice: RunOptions[Name] | "") => {
    const chosen: [string, unknown][] = Object.entries({ ...options, [name]: choice })
    onChange(Object.fromEntries(chosen.filter(([, value]) => value !== "")))
  }
  return (
    <>
      <PercentField
        label="Ignore drift below"
        placeholder={FIRM}
        value={options.bandPercentage ?? ""}
        onChange={(band) => set("bandPercentage", band)}
      />
      <MoneyField
        label="Skip trades under"
        placeholder={FIRM}
        value={options.minimumTradeValue ?? ""}
        onChange={(least) => set("minimumTradeValue", least)}
      />
      <SelectField
        label="Allow fresh funds"
        placeholder={FIRM}
        options={answers}
        value={answerOf(options.allowFreshFunds)}
        onChange={({ currentTarget: { value } }) =>
          set("allowFreshFunds", value === "" ? "" : value === "yes")
        }
      />
    </>
  )
}

/** The options of a run in words; "None" without any. */
export function optionWords({ options }: Run) {
  const words = [
    options.bandPercentage > 0 && `drift below ${percent(options.bandPercentage)} ignored`,
    options.minimumTradeValue > 0 && `trades under ${rupees(options.minimumTradeValue)} skipped`,
    options.priceBufferPercentage > 0 &&
      `price buffer of ${percent(options.priceBufferPercentage)} on purchases`,
    !options.includeCharges && "charges not included in the budget",
    !options.allowFreshFunds && "no fresh funds",
  ].filter((word) => word !== false)
  const text = words.join(", ")
  return text === "" ? "None" : text.charAt(0).toUpperCase() + text.slice(1)
}
