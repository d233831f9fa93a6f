import { connection } from "./connections"
import { answer } from "./server"

export const firm = {
  name: "Meridian Research",
  registrationNumber: "INH000012345",
  analystName: "Kavita Rao",
  registeredFrom: "2024-02-14",
  validity: "Perpetual",
  renewalOn: "2029-02-13",
  disclosures: "No holding, no conflict, no compensation.",
  standardWarning: "Investments are subject to market risks.",
  noAssurance: "Registration assures no returns.",
  isDemo: true,
  isPractice: false,
  mail: "TESTED" as const,
  appLink: "tarazu://broker",
}

/** Answers the calls that every screen of the protected area makes. */
export function signedIn(role: "ADMIN" | "USER" = "ADMIN") {
  answer("get", "/auth/verify-token", { role, name: "Meera Nair", email: "meera@example.in" })
  answer("get", "/firm", firm)
  // What a send asks for: the firm's texts, and nothing that stands in its way.
  answer("get", "/settings/firm", { rationales: [] })
  answer("post", "/admin/advice/preflight", [])
  // What screens of clients ask for beside their own: nobody is connected, and nobody waits.
  answer("get", "/admin/clients/broker-ids-to-confirm", [])
  answer("get", "/admin/clients/client/:id/connection", connection())
  answer("get", "/admin/clients/client/:id/restrictions", { version: 0, restrictions: [] })
}

/** Answers what everybody's own settings ask for. */
export function ownSettingsAnswered(role: "ADMIN" | "USER" = "ADMIN") {
  answer("get", "/profile", { name: "Meera Nair", email: "meera@example.in", role })
  answer("get", "/auth/sessions", [])
  answer("get", "/auth/totp", { isOn: false, isRequired: false, recoveryCodesLeft: 0 })
}
