import type { ReactNode } from "react"
import type { NamedFile } from "@/lib/save-file"

/** Of a column of percentages, in pixels: the same in all tables. */
export const PERCENT_WIDTH = 96

/** One column, as data. All formatting comes from `lib/format.ts`. */
export interface Column<Row> {
  title: string
  /** What the head shows in place of the title. */
  head?: ReactNode
  cell: (row: Row) => ReactNode
  align?: "left" | "right" | "center"
  /** The server's name for the order; makes the head a button. */
  sortKey?: string
  /**
   * Where the value is on a phone's card: `title` and `main` on the first line, `note` and `aside` on the
   * second. The others open with a tap, but for `none`. Unless another column says so, the first is the title, the second the main
   * number.
   */
  card?: "title" | "main" | "note" | "aside" | "rest" | "none"
  /** A heading that only screen readers hear, as over buttons. */
  hideTitle?: boolean
  width?: number
  /** Stays in sight at this side however far a wide table is scrolled. */
  pin?: "left" | "right"
}

export type Download = (format: "csv" | "xlsx") => Promise<NamedFile>

export interface MenuEntry {
  label: string
  icon?: ReactNode
  onSelect?: () => void
  isDanger?: boolean
  disabled?: boolean
  /** Opens to the side; the entry itself then does nothing. */
  entries?: MenuEntry[]
}

/** The part of a query's result that a table shows. */
export interface Fetching {
  isPending: boolean
  isFetching: boolean
  isError: boolean
  error?: unknown
  refetch: () => unknown
}

/** The state of a query that refetches regularly: rows of another view are dimmed, refreshed figures are not. */
export const steadyState = (query: Fetching & { isPlaceholderData: boolean }): Fetching => ({
  isPending: query.isPending,
  isFetching: query.isPlaceholderData,
  isError: query.isError,
  error: query.error,
  refetch: query.refetch,
})

export interface TableProps<Row> {
  /** Gives the table its options (columns, copy, files), and names what this browser remembers of them. */
  name?: string
  /** Named choices of columns: the titles that each leaves out. "All" is added automatically. */
  columnSets?: Record<string, string[]>
  /** Fetches the whole table, filters applied, as a file. The message of what it throws can be shown. */
  download?: Download
  /** Names the table for those who do not see it. */
  label: string
  columns: Column<Row>[]
  rows: Row[] | undefined
  rowKey: (row: Row) => string
  /** A query: skeletons while it is pending, dimmed rows while it fetches, Retry when it failed. */
  state?: Fetching
  empty: { title: string; hint?: ReactNode; action?: ReactNode }
  errorMessage?: string
  loadingText?: string
  onOpen?: (row: Row) => void
  /** What a row is called, for its menu's and its details' button: "Asha Rao". */
  rowName?: (row: Row) => string
  menu?: (row: Row) => MenuEntry[]
  /** The head over the menus; without it only screen readers hear one. */
  menuTitle?: string
  /** `name` or `-name`. */
  sort?: string
  onSort?: (sort: string) => void
  /** Totals by column title, in a row at the foot. */
  totals?: Record<string, ReactNode>
  /** Scrolls inside itself above this height, in pixels: 450, as the specification says, unless less is given. */
  maxHeight?: number
  /** The pixels of the window that are the rest of the screen's, when the table is chosen to fill the window. */
  around?: number
  /** Its cells are fields: no columns are chosen, and there is no text to copy. */
  isForm?: boolean
  skeletonRows?: number
  /** The height of every row in pixels: then of more than a hundred only those in sight are drawn. */
  rowHeight?: number
  /** Narrower cells, for a table of many columns beside another section. */
  isDense?: boolean
  /** Marks rows, such as `data-muted` for HOLD. */
  isMuted?: (row: Row) => boolean
  /** Draws a stronger line over rows that begin a group. */
  isGroupStart?: (row: Row) => boolean
  /** The heading of a row's group, shown above the first row of each; rows come in the order of their groups. */
  groupOf?: (row: Row) => string
  /** What a row opens to; not for a table that only draws the rows in sight. */
  details?: (row: Row) => ReactNode
  /** A custom card for phones, instead of the two lines. */
  renderCard?: (row: Row) => ReactNode
}

export function cardRole<Row>(column: Column<Row>, index: number, columns: Column<Row>[]) {
  const usual = (["title", "main"] as const)[index]
  const isFree = usual !== undefined && columns.every(({ card }) => card !== usual)
  return column.card ?? (isFree ? usual : "rest")
}

/** The heading above a row, if it is the first of its group. */
export function groupStart<Row>(
  rows: Row[],
  index: number,
  groupOf: ((row: Row) => string) | undefined,
): string | undefined {
  const [row, before] = [rows[index], rows[index - 1]]
  if (!groupOf || row === undefined) return undefined
  const group = groupOf(row)
  return before !== undefined && groupOf(before) === group ? undefined : group
}
