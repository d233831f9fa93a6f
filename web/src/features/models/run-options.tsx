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

/** How the trades of every client are computed, named as for the advice of one. */
export function RunOptionsFields({ options, onChange }: RunOptionsFieldsProps) {
  const set = <Name extends keyof RunOptions>(name: Name, choice: RunOptions[Name] | "") => {
    const chosen: [string, unknown][] = Object.entries({ ...options, [name]: choice })
    onChange(Object.fromEntries(chosen.filter(([, value]) => value !== "")))
  }
  return (
    <>
      <PercentField
        label="Leave alone a drift below"
        placeholder={FIRM}
        value={options.bandPercentage ?? ""}
        onChange={(band) => set("bandPercentage", band)}
      />
      <MoneyField
        label="Leave out trades under"
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

/** What the trades of a run keep to beyond the model, in words; "None" where that is nothing. */
export function optionWords({ options }: Run) {
  const words = [
    options.bandPercentage > 0 && `drift below ${percent(options.bandPercentage)} left alone`,
    options.minimumTradeValue > 0 && `trades under ${rupees(options.minimumTradeValue)} left out`,
    options.priceBufferPercentage > 0 &&
      `${percent(options.priceBufferPercentage)} of each purchase kept back`,
    !options.includeCharges && "charges not in the budget",
    !options.allowFreshFunds && "no fresh funds",
  ].filter((word) => word !== false)
  const text = words.join(", ")
  return text === "" ? "None" : text.charAt(0).toUpperCase() + text.slice(1)
}
