import { count, unbrokenPercents } from "@/lib/format"
import type { RebalanceRow } from "./draft"

type Cause = NonNullable<RebalanceRow["cause"]>

/** The headings of the causes, in the order in which their groups are shown. */
const names: Record<Cause, string> = {
  EXIT: "Exit",
  ABOVE_TARGET: "Above target",
  MODEL_CHANGED: "Model changed",
  RESTRICTION: "Restriction",
  CASH: "Cash",
  BELOW_TARGET: "Below target",
  NEW: "New",
  MODE: "Not traded in this kind of rebalance",
  NEAR_TARGET: "Near target",
  NO_TARGET: "No target",
  NO_PRICE: "No price",
}

const order = Object.keys(names)

const placeOf = ({ cause }: RebalanceRow) => (cause === null ? order.length : order.indexOf(cause))

/** The rows in the order of their causes, otherwise in their own. */
export const byCause = (rows: RebalanceRow[]) =>
  rows.toSorted((first, second) => placeOf(first) - placeOf(second))

/** The heading of a row's group: `Above target (7)`. */
export function causeName({ cause }: RebalanceRow, rows: RebalanceRow[]): string {
  const size = rows.filter((row) => row.cause === cause).length
  return `${cause === null ? "Other" : names[cause]} (${count(size)})`
}

/** The sentences of a reason, the cause first: "Overweight: 6.63 % against a target of 4 %.", "Sell 62, leaves 4.01 %." */
export const sentencesOf = ({ message }: Pick<RebalanceRow, "message">): string[] =>
  message === ""
    ? []
    : unbrokenPercents(message)
        .split(". ")
        .map((sentence) => `${sentence.replace(/\.$/, "")}.`)
