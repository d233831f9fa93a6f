import { languages } from "@/parts/languages"
import type { PillTone } from "@/ui/status-pill"
import type { Consent, ConsentState, KycStatus } from "./queries"

export const kycStatuses: Record<KycStatus, string> = {
  NOT_DONE: "Not done",
  REGISTERED: "Registered with a KRA",
  VALIDATED: "Validated by the KRA",
  ON_HOLD: "On hold at the KRA",
  REJECTED: "Rejected by the KRA",
}

export const kycTones: Record<KycStatus, PillTone> = {
  NOT_DONE: "warn",
  REGISTERED: "gain",
  VALIDATED: "gain",
  ON_HOLD: "warn",
  REJECTED: "loss",
}

export const consentStates: Record<ConsentState, { word: string; tone: PillTone }> = {
  GIVEN: { word: "Given", tone: "gain" },
  ASKED_AGAIN: { word: "Asked again", tone: "warn" },
  WITHDRAWN: { word: "Withdrawn", tone: "loss" },
  NOT_GIVEN: { word: "Not given", tone: "warn" },
  NO_TEXT: { word: "No text", tone: "neutral" },
}

/** How a consent was given: on the client's page and in which language, or on paper and who recorded it. */
export const howGiven = ({ method, language, recordedBy }: Consent) =>
  method === "PAGE"
    ? `Client's page, ${languages[language]}`
    : `On paper, recorded by ${recordedBy || "-"}`
