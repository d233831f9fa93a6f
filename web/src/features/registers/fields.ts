import type { ReactNode } from "react"
import type { Day } from "@/lib/dates"

/** What is typed in a form, by the name of the field; "" for nothing. */
export type Draft = Record<string, string>

/** What can be chosen: the values, with their words where these differ. */
export type Options = Record<string, string> | string[]

/** One field of a form, as data. */
export interface FieldSpec {
  /** As the server names it. */
  name: string
  label: string
  kind: "line" | "text" | "day" | "time" | "choice" | "file" | "stock"
  options?: Options
  /** Options that the server has; they may come after the form is open. */
  useOptions?: () => { data: Options | undefined; isLoadingError: boolean }
  hint?: ReactNode | ((draft: Draft) => ReactNode)
  max?: Day
  isOptional?: boolean
  isShown?: (draft: Draft) => boolean
}

/** The draft without empty texts: null where the server takes none, and with the version that was seen. */
export function bodyOf(draft: Draft, nullable: string[], version?: number) {
  const entries = Object.entries(draft).map(([name, text]) => [
    name,
    text === "" && nullable.includes(name) ? null : text,
  ])
  return { ...(Object.fromEntries(entries) as Record<string, unknown>), version }
}
