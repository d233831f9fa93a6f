import type { components } from "@/api/schema"
import { type PillTone, StatusPill } from "@/ui/status-pill"

type ObligationStatus = components["schemas"]["ObligationStatus"]

export const statusWords: Record<ObligationStatus, string> = {
  LATE: "Late",
  DUE: "Due",
  DUE_SOON: "Due soon",
  NOT_DUE: "Not due",
  DONE: "Done",
  NOT_APPLICABLE: "Not applicable",
}

const tones: Record<ObligationStatus, PillTone> = {
  LATE: "loss",
  DUE: "warn",
  DUE_SOON: "brand",
  NOT_DUE: "neutral",
  DONE: "gain",
  NOT_APPLICABLE: "neutral",
}

interface ObligationPillProps {
  status: ObligationStatus
  isDoneLate?: boolean
}

/** The status of an obligation, or of one of its times. */
export function ObligationPill({ status, isDoneLate = false }: ObligationPillProps) {
  return (
    <StatusPill
      word={isDoneLate ? "Done late" : statusWords[status]}
      tone={isDoneLate ? "warn" : tones[status]}
    />
  )
}
