import type { PillTone } from "@/ui/status-pill"
import type { Approval, ApprovalState } from "./queries"

export const actionWords: Record<Approval["action"], string> = {
  ADVICE: "Advice",
  RUN: "Run",
  BROKER_KEY: "Broker",
  EXPORT: "Download",
  SETTING: "Setting",
}

export const stateWords: Record<ApprovalState, string> = {
  WAITING: "Waiting",
  APPROVED: "Approved",
  REFUSED: "Refused",
  WITHDRAWN: "Withdrawn",
  EXPIRED: "Expired",
}

export const stateTones: Record<ApprovalState, PillTone> = {
  WAITING: "warn",
  APPROVED: "gain",
  REFUSED: "loss",
  WITHDRAWN: "neutral",
  EXPIRED: "neutral",
}

/** What happens at the moment of the approval, by action. */
export const effects: Record<Approval["action"], string> = {
  ADVICE: "When you approve, the advice is sent at once, if every check still passes.",
  RUN: "When you approve, the run is sent at once, if it and its prices are still as they were.",
  BROKER_KEY: "When you approve, the broker is changed at once.",
  EXPORT: "When you approve, whoever asked may download this list for 24 hours.",
  SETTING: "When you approve, the setting is changed at once.",
}
