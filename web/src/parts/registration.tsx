import type { ReactNode } from "react"
import { longDate } from "@/lib/dates"

export interface RegistrationDetails {
  name: string
  registrationNumber: string
  analystName: string
  registeredFrom: string
  validity: string
}

/** Shown wherever simulated prices are used. */
export const PRACTICE = "Practice: simulated prices, not investment advice"

interface RegistrationProps {
  firm: RegistrationDetails | undefined
  /** Shown under a registration that is not entered yet. */
  lead?: ReactNode
}

/** The regulator's registration, as quiet lines. Nothing while it is not known. */
export function Registration({ firm, lead }: RegistrationProps) {
  if (!firm) return null
  const isSet = firm.registrationNumber !== ""
  const lines = [
    firm.analystName,
    "SEBI Research Analyst",
    `${isSet ? firm.registrationNumber : "Registration not entered"} · ${firm.validity}`,
    `Valid from ${longDate(firm.registeredFrom)}`,
  ].filter((line) => line !== "")
  return (
    <address
      style={{ fontStyle: "normal", fontSize: 11.5, lineHeight: 1.5, color: "var(--ink-3)" }}
    >
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
      {!isSet && lead}
    </address>
  )
}
