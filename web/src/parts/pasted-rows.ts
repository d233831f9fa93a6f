import type { QueryClient } from "@tanstack/react-query"
import { stocksQuery } from "@/api/shared-queries"
import { type BasisPoints, basisPointsOf, WHOLE } from "@/lib/shares"

/** A line of a spreadsheet: a stock by symbol or ISIN, and its percent. */
export interface PastedRow {
  /** The line as pasted, and its number, counted from 1. */
  text: string
  line: number
  /** Empty, without an ISIN too, when the line names no stock. */
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

function readLine(text: string, index: number): PastedRow {
  const cells = cellsOf(text)
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
  const target = percentAt === undefined ? null : targetOf(cells[percentAt] ?? "")
  return { text: text.trim(), line: index + 1, symbol, exchange, isin, target }
}

export const namesStock = ({ symbol, isin }: PastedRow) => symbol !== "" || isin !== null
export const isCashLine = ({ symbol }: PastedRow) => CASH.test(symbol)

/**
 * The lines of a text as rows: symbol and percent, as copied from a spreadsheet (tabs) or typed (spaces or commas),
 * with an exchange or an ISIN if given. A first line without a number is a heading; headings and totals are skipped.
 */
export function readLines(text: string): PastedRow[] {
  const rows = text
    .split(/\r\n?|\n/)
    .map(readLine)
    .filter((row) => row.text !== "" && !/^total$/i.test(row.symbol))
  const [first, ...rest] = rows
  return first && first.target === null && rest.some((row) => row.target !== null) ? rest : rows
}

/** The stocks of pasted lines. Lines that name none are skipped, and cash: it is the rest. */
export const readPasted = (text: string): PastedRow[] =>
  readLines(text).filter((row) => namesStock(row) && !isCashLine(row))

/** The stock of a pasted line: by ISIN where there is one, else by the exact symbol; NSE before BSE. */
export async function stockOf(cache: QueryClient, row: PastedRow) {
  const stocks = await cache.query(stocksQuery(row.symbol === "" ? (row.isin ?? "") : row.symbol))
  const matches = stocks.filter(
    (stock) =>
      (stock.symbol === row.symbol || (row.isin !== null && stock.isin === row.isin)) &&
      (row.exchange === null || stock.exchange === row.exchange),
  )
  return matches.find(({ exchange }) => exchange === "NSE") ?? matches[0]
}

/** The client codes in a text, in order and without repetition: `C0001, c0002` gives C0001 and C0002. */
export const codesIn = (text: string): string[] => [
  ...new Set((text.match(/\bc\d{4}\b/gi) ?? []).map((code) => code.toUpperCase())),
]
