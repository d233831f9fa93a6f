import { useState } from "react"

/** The rows in the order of these ids; rows that are new take the places of those that left, then the end. */
export function inOrderOf<Row>(ids: string[], rows: Row[], idOf: (row: Row) => string): Row[] {
  const known = new Map(rows.map((row) => [idOf(row), row]))
  const wasThere = new Set(ids)
  const fresh = rows.filter((row) => !wasThere.has(idOf(row)))
  const placed = ids.flatMap((id) => known.get(id) ?? fresh.shift() ?? [])
  return [...placed, ...fresh]
}

/**
 * Keeps rows where they stand while their figures change: they take the order that they come in when `view`
 * (page, sorting, search) is new, and hold it until the next. Give `null` while rows of another view are shown.
 */
export function useSteadyOrder<Row>(
  rows: Row[] | undefined,
  idOf: (row: Row) => string,
  view: string | null,
): Row[] | undefined {
  const [kept, setKept] = useState<{ view: string; ids: string[] } | null>(null)
  if (rows === undefined || view === null) return rows
  if (kept?.view !== view) {
    setKept({ view, ids: rows.map(idOf) })
    return rows
  }
  return inOrderOf(kept.ids, rows, idOf)
}
