import { date } from "@/lib/dates"
import { rupees } from "@/lib/format"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import styles from "./fees.module.css"
import { feeNowOf, FlowsChangedMark } from "./flows-changed"
import { OverLimit, wordsOf } from "./over-limit"
import type { ClientFeesRow } from "./queries"

const isOverdue = (row: ClientFeesRow, today: string) => row.dueDate !== null && row.dueDate < today

const DueDate = ({ row, today }: { row: ClientFeesRow; today: string }) =>
  isOverdue(row, today) ? (
    <span className={styles.overdue}>
      {date(row.dueDate)}
      <span className="sr-only">, overdue</span>
    </span>
  ) : (
    date(row.dueDate)
  )

/** The columns of the specification; a sum past the yearly limit bears its mark beside the name. */
export const feesColumns = (today: string): Column<ClientFeesRow>[] => [
  {
    title: "Client Name",
    cell: (row) => (
      <span className={styles.name}>
        <strong>{row.userName}</strong>
        <span className="muted">{row.clientId}</span>
        <OverLimit limit={row.limit} />
        <FlowsChangedMark changes={row.flowsChanged} />
      </span>
    ),
    sortKey: "userName",
    card: "title",
  },
  {
    title: "Total Amount",
    cell: (row) => rupees(row.totalFees),
    sortKey: "totalFees",
    align: "right",
    card: "main",
  },
  {
    title: "Due Amount",
    cell: (row) => rupees(row.totalDue),
    sortKey: "totalDue",
    align: "right",
    card: "rest",
  },
  {
    title: "Due Date",
    cell: (row) => <DueDate row={row} today={today} />,
    sortKey: "dueDate",
    card: "aside",
  },
  {
    title: "Paid Amount",
    cell: (row) => rupees(row.totalPaid),
    sortKey: "totalPaid",
    align: "right",
    card: "rest",
  },
  { title: "Paid Date", cell: (row) => date(row.paidDate), sortKey: "paidDate", card: "rest" },
  {
    title: "Status",
    cell: (row) => <StatusPill word={row.status} />,
    sortKey: "status",
    card: "note",
    width: 104,
  },
]

/** A phone's card: the mark is on the second line, and its arithmetic opens with the rest. */
export const feesCardColumns = (today: string): Column<ClientFeesRow>[] => [
  ...feesColumns(today).map((column) =>
    column.card === "title"
      ? { ...column, cell: (row: ClientFeesRow) => row.userName }
      : column.card === "note"
        ? { ...column, cell: (row: ClientFeesRow) => <Marks row={row} /> }
        : column,
  ),
  {
    title: "Yearly limit",
    cell: (row) => (row.limit === null ? "Within the limit" : wordsOf(row.limit)),
    card: "rest",
  },
  {
    title: "Cash flows",
    cell: (row) =>
      row.flowsChanged.length === 0 ? "As billed" : row.flowsChanged.map(feeNowOf).join(" "),
    card: "rest",
  },
]

const Marks = ({ row }: { row: ClientFeesRow }) => (
  <span className={styles.name}>
    {row.clientId}
    <StatusPill word={row.status} />
    <OverLimit limit={row.limit} />
    <FlowsChangedMark changes={row.flowsChanged} />
  </span>
)
