import { type BasisPoints, basisPointsOf, WHOLE } from "@/lib/shares"

/** A line of a spreadsheet: a stock by symbol or ISIN, and its percent. */
export interface PastedRow {
  /** As it stood there, to name the line when something is wrong with it. */
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
  const named = cells.find(
    (cell, place) =>
      place !== percentAt &&
      !ISIN.test(cell.toUpperCase()) &&
      !EXCHANGES.some((name) => name === cell.toUpperCase()),
  )
  const symbol = (named ?? "").toUpperCase().replace(/^(NSE|BSE):/, "")
  if (symbol === "" && isin === null) return null
  const target = percentAt === undefined ? null : targetOf(cells[percentAt] ?? "")
  return { text: line.trim(), symbol, exchange, isin, target }
}

/**
 * Reads symbol and percent, a line a stock, as copied from a spreadsheet (tabs) or typed (spaces or commas). An
 * exchange and an ISIN may stand beside them. A first line without a number is a heading; cash is left out, being
 * what the others leave.
 */
export function readPasted(text: string): PastedRow[] {
  const rows = text
    .split(/\r\n?|\n/)
    .filter((line) => line.trim() !== "")
    .map(readLine)
    .filter((row) => row !== null)
  const [first, ...rest] = rows
  const read =
    first && first.target === null && rest.some((row) => row.target !== null) ? rest : rows
  return read.filter((row) => !CASH.test(row.symbol) && !/^total$/i.test(row.symbol))
}
