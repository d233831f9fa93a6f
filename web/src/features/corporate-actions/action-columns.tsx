import { date } from "@/lib/dates"
import { count } from "@/lib/format"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import styles from "./corporate-actions.module.css"
import type { ActionRow } from "./queries"
import { kindWords, nameOf, stateWords } from "./words"

const State = ({ row }: { row: ActionRow }) => <StatusPill {...stateWords[row.state]} />

const Effect = ({ row }: { row: ActionRow }) => (
  <span className={styles.effect}>
    {row.effect}
    {row.purpose !== "" && <span className="muted">{row.purpose}</span>}
  </span>
)

const columns: Column<ActionRow>[] = [
  { title: "Ex-date", cell: (row) => date(row.exOn), sortKey: "exOn", card: "main", width: 104 },
  {
    title: "Stock",
    cell: (row) => (
      <span className={styles.stock}>
        <strong>{nameOf(row)}</strong>
        <span className="muted">{row.name ?? row.isin}</span>
      </span>
    ),
    sortKey: "tradingSymbol",
    card: "none",
  },
  { title: "Action", cell: (row) => kindWords[row.kind], sortKey: "kind", card: "rest" },
  { title: "What happens", cell: (row) => <Effect row={row} />, card: "rest" },
  {
    title: "Clients",
    cell: (row) => (row.clients === 0 ? <span className="muted">0</span> : count(row.clients)),
    align: "right",
    card: "aside",
    width: 88,
  },
  {
    title: "Waiting for credit",
    cell: (row) => (row.waiting === 0 ? <span className="muted">0</span> : count(row.waiting)),
    align: "right",
    card: "rest",
    width: 112,
  },
  { title: "Record date", cell: (row) => date(row.recordOn), card: "rest", width: 112 },
  { title: "State", cell: (row) => <State row={row} />, card: "none", width: 124 },
  {
    title: "Source",
    cell: (row) => (
      <span className="muted">{row.source === "MANUAL" ? "By hand" : row.source}</span>
    ),
    card: "rest",
    width: 88,
  },
]

/** The list, the latest ex-date first. */
export const actionColumns = columns

/** A phone's card: the share and its action on the first line, the state below. */
export const actionCardColumns: Column<ActionRow>[] = [
  {
    title: "Stock",
    cell: (row) => `${nameOf(row)} · ${kindWords[row.kind]}`,
    card: "title",
  },
  { title: "State", cell: (row) => <State row={row} />, card: "note" },
  ...columns
    .filter(({ card, title }) => card !== "none" && title !== "Action")
    .map((column) =>
      column.title === "Clients"
        ? { ...column, cell: (row: ActionRow) => clientsText(row.clients) }
        : column,
    ),
]

const clientsText = (clients: number) => (clients === 1 ? "1 client" : `${count(clients)} clients`)
