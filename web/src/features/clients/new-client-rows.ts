import * as z from "zod/mini"
import type { FieldFault } from "@/api/client"
import { faultsOf } from "@/ui/use-zod-form"

/** One row of Add New Client, as typed. */
export interface Draft {
  key: number
  name: string
  countryCode: string
  contactNumber: string
  email: string
}

export type DraftField = Exclude<keyof Draft, "key">
export type Faults = Partial<Record<DraftField, string>>

export const MOST_ROWS = 100
export const LONGEST_NUMBER = 10
const fields: DraftField[] = ["name", "countryCode", "contactNumber", "email"]

const schema = z.object({
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
})

export const faultsOfDraft = (draft: Draft): Faults => faultsOf(schema, draft)

let lastKey = 0
export function emptyDraft(): Draft {
  lastKey += 1
  return { key: lastKey, name: "", countryCode: "+91", contactNumber: "", email: "" }
}

const isEmpty = (draft: Draft) => !draft.name && !draft.contactNumber && !draft.email

export const isTouched = (drafts: Draft[]) =>
  drafts.length > 1 || drafts.some((draft) => !isEmpty(draft) || draft.countryCode !== "+91")

export const bodyOf = (drafts: Draft[]) =>
  drafts.map(({ name, countryCode, contactNumber, email }) => ({
    name: name.trim(),
    countryCode,
    contactNumber,
    email: email.trim(),
    role: "client",
  }))

/** The server's faults by row; it counts rows from nought: `clients.0.email` or `0.email`. */
export function faultsByRow(errors: FieldFault[], rows: number): Faults[] {
  const faults: Faults[] = Array.from({ length: rows }, () => ({}))
  for (const { field, message } of errors) {
    const [, place, name] = /^(?:clients\.)?(\d+)\.(\w+)$/.exec(field) ?? []
    const known = fields.find((each) => each === name)
    const row = faults[Number(place)]
    if (row && known) row[known] ??= message
  }
  return faults
}

const headings: [RegExp, DraftField | null][] = [
  [/^(client |full )?name$/i, "name"],
  [/^(country )?code$/i, "countryCode"],
  [/^(contact|phone|mobile)( ?(number|no\.?))?$/i, "contactNumber"],
  [/^e-?mail( address| id)?$/i, "email"],
  [/^role$/i, null],
]

const isHeading = (cell: string) => headings.some(([words]) => words.test(cell))
const digitsOf = (cell: string) => cell.replace(/[\s()-]/g, "")

/** The digits of a contact number; the prefixes +91 and 0 of an Indian one are not part of it. */
export function contactNumberOf(text: string): string {
  const digits = text.replace(/\D/g, "")
  return /^(?:91|0)(\d{10})$/.exec(digits)?.[1] ?? digits
}

/** What a cell must be by its looks; people's columns come in any order. */
function fieldOf(cell: string): DraftField | null {
  if (cell.includes("@")) return "email"
  if (/^\+\d{1,4}$/.test(digitsOf(cell))) return "countryCode"
  if (/^\+?\d{6,15}$/.test(digitsOf(cell))) return "contactNumber"
  return /^(client|user|admin)$/i.test(cell) ? null : "name"
}

function fill(into: Partial<Draft>, field: DraftField, cell: string) {
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
 * Reads what was copied from a spreadsheet: a line a client, cells parted by tabs. A first line of headings says
 * which column is what; without one each cell is known by its looks. Null when the text is no table.
 */
export function parsePasted(text: string): Partial<Draft>[] | null {
  const lines = text.replace(/\r\n?/g, "\n").replace(/\n+$/, "").split("\n")
  if (lines.length === 1 && !text.includes("\t")) return null
  const table = lines.map((line) => line.split("\t").map((cell) => cell.trim()))
  const head = table[0]?.every((cell) => cell === "" || isHeading(cell)) ? table.shift() : undefined
  const columns = head?.map((cell) => headings.find(([words]) => words.test(cell))?.[1] ?? null)
  return table
    .filter((cells) => cells.some((cell) => cell !== ""))
    .map((cells) => {
      const read: Partial<Draft> = {}
      cells.forEach((cell, index) => {
        const field = columns ? columns[index] : fieldOf(cell)
        if (field && cell !== "") fill(read, field, cell)
      })
      return read
    })
}

/** Puts pasted lines over the rows from `start` on, and adds rows as they are needed, up to the most. */
export function withPasted(drafts: Draft[], start: number, lines: Partial<Draft>[]): Draft[] {
  const rows = [...drafts]
  lines.forEach((line, index) => {
    const place = start + index
    if (place < MOST_ROWS) rows[place] = { ...(rows[place] ?? emptyDraft()), ...line }
  })
  return rows
}
