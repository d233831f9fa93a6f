import { longDate } from "@/lib/dates"

export interface RegistrationDetails {
  name: string
  registrationNumber: string
  analystName: string
  registeredFrom: string
  validity: string
}

/** The regulator's registration, as three quiet lines. Nothing while it is not known. */
export function Registration({ firm }: { firm: RegistrationDetails | undefined }) {
  if (!firm) return null
  return (
    <address
      style={{ fontStyle: "normal", fontSize: 11.5, lineHeight: 1.5, color: "var(--ink-3)" }}
    >
      {firm.analystName}
      <br />
      SEBI Research Analyst
      <br />
      {firm.registrationNumber} · {firm.validity}
      <br />
      Valid from {longDate(firm.registeredFrom)}
    </address>
  )
}
