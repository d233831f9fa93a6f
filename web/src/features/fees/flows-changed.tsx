import { date } from "@/lib/dates"
import { rupees } from "@/lib/format"
import { StatusPill } from "@/ui/status-pill"
import type { FlowsChanged } from "./queries"

/** What is said of a fee whose period had cash flows added, changed or deleted after it. */
export const FLOWS_CHANGED = "Cash flows changed after this fee"

/** What such a fee is, and what it would be now. */
export const feeNowOf = ({ startingDate, fees, feesNow }: FlowsChanged) =>
  `Period from ${date(startingDate)}: ${FLOWS_CHANGED}. Fee ${rupees(fees)}, now ${rupees(feesNow)}.`

/** Marks the sum of a client whose cash flows changed after a fee; the fees are its tooltip, and read out. */
export function FlowsChangedMark({ changes }: { changes: FlowsChanged[] }) {
  if (changes.length === 0) return null
  const words = changes.map(feeNowOf).join(" ")
  return (
    <span title={words}>
      <StatusPill word={FLOWS_CHANGED} tone="warn" />
      <span className="sr-only">: {words}</span>
    </span>
  )
}
