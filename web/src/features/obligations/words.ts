import type { PillTone } from "@/ui/status-pill"
import type { ObligationStatus } from "./queries"

export const statusWords: Record<ObligationStatus, string> = {
  LATE: "Late",
  DUE: "Due",
  DUE_SOON: "Due soon",
  NOT_DUE: "Not due",
  DONE: "Done",
  NOT_APPLICABLE: "Not applicable",
}

export const statusTones: Record<ObligationStatus, PillTone> = {
  LATE: "loss",
  DUE: "warn",
  DUE_SOON: "brand",
  NOT_DUE: "neutral",
  DONE: "gain",
  NOT_APPLICABLE: "neutral",
}
