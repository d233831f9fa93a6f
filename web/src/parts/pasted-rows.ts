import { type BasisPoints, basisPointsOf, WHOLE } from "@/lib/shares"

/** A line of a spreadsheet: a stock by symbol or ISIN, and its percent. */
export interface PastedRow {
  /** The line as pasted. */
  text: string
  symbol: string
  exchange: "NSE" | "BSE" | null
  isin: string | null
  /** Null when the line has no percent that can be read. */
  target: BasisPoints | null
}

const ISIN = /^IN[A-Z0-9]{9}\d$/
const EXCHANGES = ["NSE", "BSE"] as const
const PERCENT = /^\d{1,3}(\.\d{1,6})?\s*%?$/
const CASH = /^cash$/i

const cellsOf = (line: string) =>
  line
    .split(/\t|[;,]|\s{2,}|\s+(?=\d[\d.]*\s*%?$)/)
    .map((cell) => cell.trim())
    .filter((cell) => cell !== "")

const targetOf = (cell: string): BasisPoints | null => {
  if (!PERCENT.test(cell)) return null
  const points = basisPointsOf(Number(cell.replace("%", "")))
  return points <= WHOLE ? points : null
}

function readLine(line: string): PastedRow | null {
  const cells = cellsOf(line)
  const isin = cells.find((cell) => ISIN.test(cell.toUpperCase()))?.toUpperCase() ?? null
  const exchange =
    EXCHANGES.find((name) =>
      cells.some(
        (cell) => cell.toUpperCase() === name || cell.toUpperCase().startsWith(`${name}:`),
      ),
    ) ?? null
  const places = cells.flatMap((cell, place) => (PERCENT.test(cell) ? [place] : []))
  const percentAt = places.at(-1)
  const name = cells.find(
    (cell, place) =>
      place !== percentAt &&
      !ISIN.test(cell.toUpperCase()) &&
      !EXCHANGES.some((name) => name === cell.toUpperCase()),
  )
  const symbol = (name ?? "").toUpperCase().replace(/^(NSE|BSE):/, "")
  if (symbol === "" && isin === null) return null
  const target = percentAt === undefined ? null : targetOf(cells[percentAt] ?? "")
  return { text: line.trim(), symbol, exchange, isin, target }
}

/**
 * Reads one stock per line, symbol and percent, as copied from a spreadsheet (tabs) or typed (spaces or commas),
 * with an exchange or an ISIN if given. A first line without a number is a heading. Cash is skipped: it is the rest.
 */
export function readPasted(text: string): PastedRow[] {
  const rows = text
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== "")
    .map(readLine)
    .filter((row) => row !== null)
  const [first, ...rest] = rows
  const stocks =
    first && first.target === null && rest.some((row) => row.target !== null) ? rest : rows
  return stocks.filter((row) => !CASH.test(row.symbol) && !/^total$/i.test(row.symbol))
}

/** The client codes in a text, in order and without repetition: `C0001, c0002` gives C0001 and C0002. */
export const codesIn = (text: string): string[] => [
  ...new Set((text.match(/\bc\d{4}\b/gi) ?? []).map((code) => code.toUpperCase())),
]
