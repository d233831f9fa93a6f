import { percent, rupees } from "@/lib/format"
import type { Run } from "./types"

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
