import type { ReactNode } from "react"
import { count, rupees, signedRupees } from "@/lib/format"
import type { RebalanceRow } from "./draft"

/** The gains and the tax of a sale; nothing of other rows, and of drafts of before taxes were shown. */
export function taxFigures({ tax }: Partial<RebalanceRow>): [name: string, figure: ReactNode][] {
  if (!tax) return []
  return [
    ["Short-term gain", signedRupees(tax.shortGain)],
    ["Long-term gain", signedRupees(tax.longGain)],
    ["Tax at full rate", rupees(tax.tax)],
  ]
}

const days = (number: number) => (number === 1 ? "1 day" : `${count(number)} days`)

/** Why the tax of a sale is not known, or what it saves to wait until lots are long-term. */
export function SaleTax({ row: { tax } }: { row: Partial<RebalanceRow> }) {
  if (!tax) return null
  if (tax.reasonText !== "") return <p className="muted">Tax not known. {tax.reasonText}</p>
  if (tax.daysToLongTerm === null) return null
  const [first, last] = [tax.waits[0], tax.waits.at(-1)]
  if (!first || !last) return <p>Next lot is long-term in {days(tax.daysToLongTerm)}.</p>
  return (
    <p>
      Wait {days(first.days)}: saves {rupees(first.saving)}.
      {last !== first && ` Wait ${days(last.days)}: saves ${rupees(last.saving)}.`}
    </p>
  )
}
