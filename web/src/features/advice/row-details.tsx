import type { ReactNode } from "react"
import { count, missing, percent, quantity, rupees } from "@/lib/format"
import { priceTime, sourceName } from "@/lib/price-sources"
import { PriceCell } from "@/parts/price-cell"
import { TextField } from "@/ui/form/fields"
import { sentencesOf } from "./causes"
import { draft, type RebalanceRow, useDraft } from "./draft"
import styles from "./row-details.module.css"
import { SaleTax, taxFigures } from "./sale-tax"
import { isTraded, LONGEST_NOTE, tradedValue } from "./sending"

/** What a row of the result opens to: the reason first, then the trade, its figures, and the analyst's own sentence. */
export function RowDetails({ row }: { row: RebalanceRow }) {
  const [reason, ...trade] = sentencesOf(row)
  return (
    <div className={styles.details}>
      <p>
        <strong className={styles.reason}>{reason}</strong> {trade.join(" ")}
      </p>
      {row.isDust && (
        <p className="warn">
          The charges of {rupees(row.charges)} are more than 0.5 % of this order.
        </p>
      )}
      <SaleTax row={row} />
      <dl className={styles.figures}>
        {figuresOf(row).map(([name, figure]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      {isTraded(row) && <Note row={row} />}
    </div>
  )
}

const figuresOf = (row: RebalanceRow): [name: string, figure: ReactNode][] => [
  ["Quantity", `${quantity(row.currentQuantity)} → ${quantity(row.newQuantity)}`],
  [
    "Share",
    `${percent(row.previousAllocationPercentage)} → ${percent(row.possibleAllocationPercentage)}`,
  ],
  ["Target", percent(row.allocationPercentage)],
  ["Price", <PriceCell key="price" row={row} />],
  [
    "Price source",
    row.priceAt === null
      ? missing
      : `${sourceName(row.priceSource)}, ${priceTime(row.priceAt, row.priceSource)}`,
  ],
  ...(isTraded(row)
    ? ([
        ["Order value", rupees(tradedValue(row))],
        ["Charges of this order", rupees(row.charges)],
      ] satisfies [string, string][])
    : []),
  ...taxFigures(row),
]

/** One sentence of the analyst's about an order; it stays in the draft and goes with the advice. */
function Note({ row }: { row: RebalanceRow }) {
  const { notes } = useDraft()
  const note = notes[row.isin] ?? ""
  return (
    <div className={styles.note}>
      <TextField
        label={`Your sentence about ${row.symbol}`}
        description={`Shown in the client's letter. ${count(note.length)} of ${LONGEST_NOTE} characters.`}
        minRows={2}
        maxLength={LONGEST_NOTE}
        value={note}
        onChange={({ currentTarget }) =>
          draft.edit({ notes: { ...draft.get().notes, [row.isin]: currentTarget.value } })
        }
      />
    </div>
  )
}
