import type { components } from "@/api/schema"

export type Language = components["schemas"]["Language"]

/** The languages of letters and mails, as a person chooses them. */
export const languages: Record<Language, string> = { EN: "English", HI: "हिन्दी (Hindi)" }
