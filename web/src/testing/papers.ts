import type { Consent, ConsentsToText, Kyc } from "@/features/papers/queries"

/** KYC that is done. */
export const kycOf = (change: Partial<Kyc> = {}): Kyc => ({
  pan: "ABCPK1234F",
  status: "VALIDATED",
  statusOn: "2026-04-02",
  note: "",
  isDone: true,
  updatedAt: "2026-04-02T05:00:00Z",
  version: 3,
  kind: "HUF",
  family: "Menon",
  ...change,
})

/** A consent that the client gave on the page. */
export const consentRow = (change: Partial<Consent> = {}): Consent => ({
  _id: "consent-1",
  number: 1,
  givenOn: "2026-04-02",
  recordedAt: "2026-04-02T05:00:00Z",
  method: "PAGE",
  language: "EN",
  textHash: "b865dd85e324".padEnd(64, "0"),
  ip: "203.0.113.7",
  agent: "Firefox",
  file: null,
  recordedBy: "",
  withdrawnAt: null,
  withdrawnBy: "",
  ...change,
})

/** Consents to the terms, given to the version in force. */
export const consentsTo = (change: Partial<ConsentsToText> = {}): ConsentsToText => ({
  kind: "TERMS",
  state: "GIVEN",
  isWithdrawable: false,
  inForce: { number: 1, effectiveOn: "2026-01-01" },
  versions: [{ number: 1, effectiveOn: "2026-01-01" }],
  given: [consentRow()],
  ...change,
})
