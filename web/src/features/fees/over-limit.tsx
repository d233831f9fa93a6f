import { TriangleAlert } from "lucide-react"
import { rupees } from "@/lib/format"
import { StatusPill } from "@/ui/status-pill"
import styles from "./fees.module.css"
import type { PassedLimit } from "./queries"

/** `2026-27`, the financial year that begins on 1 April 2026. */
function financialYear(yearFrom: string): string {
  const year = Number(yearFrom.slice(0, 4))
  return `${year}-${String((year + 1) % 100).padStart(2, "0")}`
}

/** The arithmetic of a fee with which a family passed the yearly limit. */
export const wordsOf = ({ yearFrom, familyFees, yearlyLimit, excess }: PassedLimit) =>
  `${rupees(familyFees)} charged to the family in ${financialYear(yearFrom)}, ` +
  `limit ${rupees(yearlyLimit)}: ${rupees(excess)} over`

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
