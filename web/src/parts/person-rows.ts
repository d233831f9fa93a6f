import * as z from "zod/mini"
import type { Language } from "./languages"
import { type FieldRefusal, faultsOf } from "@/ui/form/use-zod-form"

/** A client or a member of staff to be added. */
export interface Person<Role extends string = string> {
  name: string
  countryCode: string
  contactNumber: string
  email: string
  role: Role
  /** Of letters and mails; a client's alone. */
  language?: Language
}

/** One row of the dialog that adds people, as typed. */
export interface Draft<Role extends string = string> extends Person<Role> {
  key: number
}

/** The roles on offer; a new row has the first. */
export type Roles<Role extends string = string> = readonly [Role, ...Role[]]

export type DraftField = keyof Person
export type Faults = Partial<Record<DraftField, string>>

export const MOST_ROWS = 100
export const LONGEST_NUMBER = 10
const fields: DraftField[] = ["name", "countryCode", "contactNumber", "email", "role", "language"]

/** What is asked of a person wherever one is typed in; the server asks the same. */
export const personChecks = {
  name: z.string().check(z.trim(), z.minLength(1, "Name is required")),
  countryCode: z
    .string()
    .check(z.regex(/^\+\d{1,4}$/, "A country code is a plus and one to four digits.")),
  contactNumber: z.string().check(z.regex(/^\d{0,10}$/, "A contact number has at most 10 digits.")),
  email: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, "Email is required"),
      z.regex(/^[^@\s<>"]+@[^@\s<>"]+\.[^@\s<>".]{2,}$/, "Enter a valid email"),
    ),
}
const schema = z.object(personChecks)

export const faultsOfDraft = (draft: Draft): Faults => faultsOf(schema, draft)

let lastKey = 0
export function emptyDraft<Role extends string>(roles: Roles<Role>): Draft<Role> {
  lastKey += 1
  const blank = { name: "", countryCode: "+91", contactNumber: "", email: "" }
  const role = roles[0]
  return { key: lastKey, ...blank, role, ...(role === "client" && { language: "EN" }) }
}

const isEmpty = (draft: Draft) => !draft.name && !draft.contactNumber && !draft.email

export const isTouched = (drafts: Draft[]) =>
  drafts.length > 1 ||
  drafts.some((draft) => !isEmpty(draft) || draft.countryCode !== "+91" || draft.language === "HI")

export const peopleOf = <Role extends string>(drafts: Draft<Role>[]): Person<Role>[] =>
  drafts.map(({ name, countryCode, contactNumber, email, role, language }) => ({
    name: name.trim(),
    countryCode,
    contactNumber,
    email: email.trim(),
    role,
    language,
  }))

/** The server's errors by row; its rows start at 0: `clients.0.email` or `0.email`. */
export function faultsByRow(errors: FieldRefusal["errors"], rows: number): Faults[] {
  const faults: Faults[] = Array.from({ length: rows }, () => ({}))
  for (const { field, message } of errors) {
    const [, place, name] = /^(?:[a-z]+\.)?(\d+)\.(\w+)$/.exec(field) ?? []
    const known = fields.find((each) => each === name)
    const row = faults[Number(place)]
    if (row && known) row[known] ??= message
  }
  return faults
}

const headings: [RegExp, DraftField][] = [
  [/^(client |user |full )?name$/i, "name"],
  [/^(country )?code$/i, "countryCode"],
  [/^(contact|phone|mobile)( ?(number|no\.?))?$/i, "contactNumber"],
  [/^e-?mail( address| id)?$/i, "email"],
  [/^role$/i, "role"],
  [/^language( of letters)?$/i, "language"],
]

const isHeading = (cell: string) => headings.some(([words]) => words.test(cell))
const digitsOf = (cell: string) => cell.replace(/[\s()-]/g, "")

/** The digits of a contact number; the prefixes +91 and 0 of an Indian one are not part of it. */
export function contactNumberOf(text: string): string {
  const digits = text.replace(/\D/g, "")
  return /^(?:91|0)(\d{10})$/.exec(digits)?.[1] ?? digits
}

/** What a cell must be by its looks; people's columns come in any order. */
function fieldOf(cell: string): DraftField {
  if (cell.includes("@")) return "email"
  if (/^\+\d{1,4}$/.test(digitsOf(cell))) return "countryCode"
  if (/^\+?\d{6,15}$/.test(digitsOf(cell))) return "contactNumber"
  if (/^(client|user|admin)$/i.test(cell)) return "role"
  return languageOf(cell) ? "language" : "name"
}

/** The language that a cell names: "Hindi", "हिन्दी (Hindi)", "HI". */
function languageOf(cell: string): Language | undefined {
  if (/^(en|english)$/i.test(cell)) return "EN"
  return /^(hi|hindi|हिन्दी( \(hindi\))?)$/i.test(cell) ? "HI" : undefined
}

function fill(into: Partial<Person>, field: DraftField, cell: string) {
  if (field === "language") {
    into.language = languageOf(cell)
    return
  }
  if (field !== "contactNumber" && field !== "countryCode") {
    into[field] = cell
    return
  }
  const digits = digitsOf(cell)
  if (field === "countryCode") {
    into.countryCode = digits.startsWith("+") ? digits : `+${digits}`
    return
  }
  if (digits.startsWith("+91")) into.countryCode = "+91"
  into.contactNumber = contactNumberOf(digits)
}

/**
 * Reads what was copied from a spreadsheet: a line a person, cells parted by tabs. A first line of headings says
 * which column is what; without one each cell is known by its looks. Null when the text is no table.
 */
export function parsePasted(text: string): Partial<Person>[] | null {
  const lines = text.replace(/\r\n?/g, "\n").replace(/\n+$/, "").split("\n")
  if (lines.length === 1 && !text.includes("\t")) return null
  const table = lines.map((line) => line.split("\t").map((cell) => cell.trim()))
  const head = table[0]?.every((cell) => cell === "" || isHeading(cell)) ? table.shift() : undefined
  const columns = head?.map((cell) => headings.find(([words]) => words.test(cell))?.[1])
  return table
    .filter((cells) => cells.some((cell) => cell !== ""))
    .map((cells) => {
      const read: Partial<Person> = {}
      cells.forEach((cell, index) => {
        const field = columns ? columns[index] : fieldOf(cell)
        if (field && cell !== "") fill(read, field, cell)
      })
      return read
    })
}

/**
 * Puts pasted lines over the rows from `start` on, and adds rows as they are needed, up to the most. A role that
 * is not on offer is left out, and so is a language where none is asked.
 */
export function withPasted<Role extends string>(
  drafts: Draft<Role>[],
  start: number,
  lines: Partial<Person>[],
  roles: Roles<Role>,
): Draft<Role>[] {
  const rows = [...drafts]
  lines.forEach(({ role: roleText, language, ...line }, index) => {
    const place = start + index
    if (place >= MOST_ROWS) return
    const old = rows[place] ?? emptyDraft(roles)
    const role = roles.find((each) => each.toLowerCase() === roleText?.toLowerCase()) ?? old.role
    rows[place] = { ...old, ...line, role, language: old.language && (language ?? old.language) }
  })
  return rows
}
