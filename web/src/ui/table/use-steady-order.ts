import { useState } from "react"

/** The rows in the order of these ids; new rows fill the places of removed ones, then go to the end. */
export function inOrderOf<Row>(ids: string[], rows: Row[], idOf: (row: Row) => string): Row[] {
  const known = new Map(rows.map((row) => [idOf(row), row]))
  const wasThere = new Set(ids)
  const fresh = rows.filter((row) => !wasThere.has(idOf(row)))
  const placed = ids.flatMap((id) => known.get(id) ?? fresh.shift() ?? [])
  return [...placed, ...fresh]
}

/**
 * Keeps rows in their places while their figures change: the order is taken when `view` (page, sorting, search)
 * changes, and kept until the next change. Pass `null` while rows of another view are shown.
 */
export function useSteadyOrder<Row>(
  rows: Row[] | undefined,
  idOf: (row: Row) => string,
  view: string | null,
): Row[] | undefined {
  const [order, setOrder] = useState<{ view: string; ids: string[] } | null>(null)
  if (rows === undefined || view === null) return rows
  if (order?.view !== view) {
    setOrder({ view, ids: rows.map(idOf) })
    return rows
  }
  return inOrderOf(order.ids, rows, idOf)
}
