import { useMemo, useState } from "react"
import { recall, remember } from "@/lib/remember"
import { cardRole, type Column } from "./table-types"

export interface ColumnChoice {
  titles: { title: string; isShown: boolean }[]
  toggle: (title: string) => void
  sets: string[]
  /** The named set that matches the shown columns; null for a custom choice. */
  set: string | null
  chooseSet: (name: string) => void
}

const EVERY = "All"
/** A person may leave it out: not the title column, nor one without a heading. */
const isFree = <Row>(column: Column<Row>, index: number, columns: Column<Row>[]) =>
  cardRole(column, index, columns) !== "title" && column.hideTitle !== true
const texts = (stored: unknown): string[] =>
  Array.isArray(stored) ? stored.filter((title) => typeof title === "string") : []

/** Which columns are shown, remembered under the table's name. The title column always stays. */
export function useColumns<Row>(
  name: string | undefined,
  columns: Column<Row>[],
  columnSets: Record<string, string[]> = {},
): { shown: Column<Row>[]; choice: ColumnChoice } {
  const key = `columns.${name ?? ""}`
  const [hidden, setHidden] = useState(() => (name === undefined ? [] : texts(recall(key))))
  const free = columns.filter(isFree).map((column) => column.title)
  const leftOut = hidden.filter((title) => free.includes(title))
  // The same array while nothing changed, so that rows are not drawn again.
  const shown = useMemo(
    () =>
      columns.filter(
        (column, index) => !hidden.includes(column.title) || !isFree(column, index, columns),
      ),
    [columns, hidden],
  )
  const choose = (titles: string[]) => {
    setHidden(titles)
    remember(key, titles.length > 0 ? titles : null)
  }
  const sets: Record<string, string[]> =
    Object.keys(columnSets).length > 0 ? { ...columnSets, [EVERY]: [] } : {}
  const isAsIn = (set: string) => {
    const hiddenTitles = (sets[set] ?? []).filter((title) => free.includes(title))
    return (
      hiddenTitles.length === leftOut.length &&
      hiddenTitles.every((title) => leftOut.includes(title))
    )
  }
  return {
    shown,
    choice: {
      titles: free.map((title) => ({ title, isShown: !leftOut.includes(title) })),
      toggle: (title) =>
        choose(
          hidden.includes(title) ? hidden.filter((each) => each !== title) : [...hidden, title],
        ),
      sets: Object.keys(sets),
      set: Object.keys(sets).find(isAsIn) ?? null,
      chooseSet: (set) => choose(sets[set] ?? []),
    },
  }
}
