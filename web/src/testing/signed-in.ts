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
  answer("get", "/admin/teams", { isOn: false, version: 1, teams: [], withoutTeam: 0 })
  // The calls of a send: the firm's texts, and no failed check.
  answer("get", "/settings/firm", { rationales: [] })
  answer("post", "/admin/advice/preflight", [])
  // The calls of every client screen: nobody is connected, and no ID awaits confirmation.
  answer("get", "/admin/clients/broker-ids-to-confirm", [])
  answer("get", "/admin/clients/client/:id/connection", connection())
  answer("get", "/admin/clients/client/:id/restrictions", { version: 0, restrictions: [] })
}

/** Answers the calls of the personal settings. */
export function ownSettingsAnswered(role: "ADMIN" | "USER" = "ADMIN") {
  answer("get", "/profile", { name: "Meera Nair", email: "meera@example.in", role })
  answer("get", "/auth/sessions", [])
  answer("get", "/auth/passkeys", [])
  answer("get", "/auth/totp", { isOn: false, isRequired: false, recoveryCodesLeft: 0 })
}
