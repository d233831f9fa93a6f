import type { QueryClient } from "@tanstack/react-query"
import { stocksQuery } from "@/api/shared-queries"
import { type Constituent, keyOf } from "./constituents"
import type { PastedRow } from "./pasted-rows"

interface Resolved {
  found: Constituent[]
  /** Lines whose stock is not known. */
  missed: PastedRow[]
}

/** Looks up the stocks of pasted lines: by ISIN where there is one, else by the exact symbol; NSE before BSE. */
export async function resolveRows(cache: QueryClient, rows: PastedRow[]): Promise<Resolved> {
  const found = new Map<string, Constituent>()
  const missed: PastedRow[] = []
  for (const row of rows) {
    const stocks = await cache.query(stocksQuery(row.symbol === "" ? (row.isin ?? "") : row.symbol))
    const fitting = stocks.filter(
      (stock) =>
        (stock.symbol === row.symbol || (row.isin !== null && stock.isin === row.isin)) &&
        (row.exchange === null || stock.exchange === row.exchange),
    )
    const stock = fitting.find(({ exchange }) => exchange === "NSE") ?? fitting[0]
    if (!stock) missed.push(row)
    else found.set(keyOf(stock), { ...stock, target: row.target })
  }
  return { found: [...found.values()], missed }
}
