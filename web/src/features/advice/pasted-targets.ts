import type { QueryClient } from "@tanstack/react-query"
import { percent } from "@/lib/format"
import { percentOf, WHOLE } from "@/lib/shares"
import { isCashLine, namesStock, type PastedRow, readLines, stockOf } from "@/parts/pasted-rows"
import type { Start } from "./starts"
import { CASH, keyOf } from "./targets"

const nameOf = (row: PastedRow) => (row.symbol === "" ? (row.isin ?? "") : row.symbol)

/** What is wrong with each line, before any stock is looked up. */
function faultsOf(rows: PastedRow[]): string[] {
  let total = 0
  return rows.flatMap((row) => {
    total += row.target ?? 0
    if (!namesStock(row)) return [`Line ${row.line}: no stock symbol.`]
    if (row.target === null)
      return [`Line ${row.line}: ${nameOf(row)} has no percent from 0 to 100.`]
    if (total > WHOLE)
      return [`Line ${row.line}: ${nameOf(row)} brings the total to ${percent(percentOf(total))}.`]
    return []
  })
}

interface Read {
  starts: Start[]
  /** A sentence for each line that cannot be used; then no line is. */
  faults: string[]
}

/** The targets of pasted lines, with their stocks. */
export async function readTargets(cache: QueryClient, text: string): Promise<Read> {
  const rows = readLines(text)
  const faults = faultsOf(rows)
  if (faults.length > 0) return { starts: [], faults }
  const stocks = await Promise.all(
    rows.map(async (row) => (isCashLine(row) ? undefined : await stockOf(cache, row))),
  )
  const lines = new Map<string, number>()
  const starts = rows.flatMap((row, place): Start[] => {
    const stock = stocks[place]
    if (!stock && !isCashLine(row)) {
      faults.push(`Line ${row.line}: Unknown stock symbol: ${nameOf(row)}.`)
      return []
    }
    const {
      symbol: tradingSymbol = CASH,
      exchange = "",
      isin = "",
      instrumentToken = null,
    } = stock ?? {}
    const key = keyOf({ tradingSymbol, exchange })
    const before = lines.get(key)
    if (before !== undefined)
      faults.push(`Line ${row.line}: ${tradingSymbol} is already on line ${before}.`)
    lines.set(key, row.line)
    return [{ tradingSymbol, exchange, isin, instrumentToken, target: row.target ?? 0 }]
  })
  return { starts, faults }
}
