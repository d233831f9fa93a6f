import { answer } from "./server"

export const firm = {
  name: "Meridian Research",
  registrationNumber: "INH000012345",
  analystName: "Kavita Rao",
  registeredFrom: "2024-02-14",
  validity: "Perpetual",
  disclosures: "No holding, no conflict, no compensation.",
  standardWarning: "Investments are subject to market risks.",
  noAssurance: "Registration assures no returns.",
  isDemo: true,
}

/** Answers the calls that every screen of the protected area makes. */
export function signedIn(role: "ADMIN" | "USER" = "ADMIN") {
  answer("get", "/auth/verify-token", { role, name: "Meera Nair", email: "meera@example.in" })
  answer("get", "/firm", firm)
}
