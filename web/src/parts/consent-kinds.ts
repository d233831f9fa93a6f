import type { components } from "@/api/schema"

export type ConsentKind = components["schemas"]["ConsentKind"]

/** What clients consent to, in words, in the order of the screens. */
export const consentKinds: Record<ConsentKind, string> = {
  TERMS: "Terms of service",
  MITC: "Most important terms (MITC)",
  DATA: "Personal data",
  AI: "Use of AI tools",
  HOLDINGS: "Reading holdings",
}
