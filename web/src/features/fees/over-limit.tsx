import { TriangleAlert } from "lucide-react"
import { longDate } from "@/lib/dates"
import { rupees } from "@/lib/format"
import { StatusPill } from "@/ui/status-pill"
import styles from "./fees.module.css"
import type { PassedLimit } from "./queries"

/** The arithmetic of a fee with which a family passed the limit for twelve months. */
export const wordsOf = ({ yearFrom, until, fee, familyFees, yearlyLimit, excess }: PassedLimit) =>
  `Family fees from ${longDate(yearFrom)} to ${longDate(until)}: ${rupees(familyFees - fee)} + this fee ` +
  `${rupees(fee)} = ${rupees(familyFees)}, limit ${rupees(yearlyLimit)}: ${rupees(excess)} over`

interface OverLimitProps {
  limit: PassedLimit | null
  /** An icon instead of the words, where the arithmetic is shown anyway. */
  isSmall?: boolean
}

/** Marks a sum that passes the limit; the arithmetic is its tooltip, and read out. */
export function OverLimit({ limit, isSmall = false }: OverLimitProps) {
  if (limit === null) return null
  return (
    <span title={wordsOf(limit)} className={isSmall ? styles.mark : undefined}>
      {isSmall ? (
        <TriangleAlert size={14} aria-hidden="true" />
      ) : (
        <StatusPill word="Over limit" tone="warn" />
      )}
      <span className="sr-only">
        {isSmall && "Over limit"}: {wordsOf(limit)}
      </span>
    </span>
  )
}
