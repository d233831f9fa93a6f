import { date } from "@/lib/dates"
import { count, price, quantity, rupees } from "@/lib/format"
import { Pagination } from "@/ui/table/pagination"
import { StatusPill } from "@/ui/status-pill"
import { type Column, Table } from "@/ui/table/table"
import { usePages } from "@/ui/table/use-pages"
import type { ImportReport } from "./import-calls"
import { Section } from "@/parts/import-parts"
import styles from "@/parts/import.module.css"

type NewClient = ImportReport["clients"][number]
type Flow = ImportReport["flows"][number]
type Order = ImportReport["orders"][number]

const changeOf = (change: Flow["change"]) => (
  <StatusPill word={change} tone={change === "ADDED" ? "gain" : "neutral"} />
)

const clientColumns: Column<NewClient>[] = [
  { title: "Client Name", cell: (row) => row.name, card: "title" },
  { title: "Email", cell: (row) => row.email, card: "note" },
  {
    title: "Contact",
    cell: (row) => row.contactNumber && `${row.countryCode} ${row.contactNumber}`,
  },
  { title: "Client ID", cell: (row) => row.clientId || "-", card: "main" },
  { title: "Line", cell: (row) => count(row.line), align: "right" },
]

interface OfClient {
  clientId: string
  clientName: string
}

const clientCell = (row: OfClient) => (
  <>
    <span className="muted">{row.clientId}</span> {row.clientName}
  </>
)

const flowColumns: Column<Flow>[] = [
  { title: "Date", cell: (row) => date(row.date), card: "title" },
  { title: "Amount", cell: (row) => rupees(row.amount), align: "right", card: "main" },
  {
    title: "Type",
    cell: (row) => (row.type === "FUNDS_ADDED" ? "Fund Added" : "Fund Withdrawl"),
    card: "note",
  },
  { title: "Change", cell: (row) => changeOf(row.change), card: "aside" },
  { title: "Client", cell: clientCell },
  { title: "Line", cell: (row) => count(row.line), align: "right" },
]

const orderColumns: Column<Order>[] = [
  { title: "Date", cell: (row) => date(row.orderedAt), card: "note" },
  { title: "Stock", cell: (row) => <strong>{row.symbol}</strong>, card: "title" },
  { title: "Action", cell: (row) => row.side, card: "aside" },
  { title: "Quantity", cell: (row) => quantity(row.quantity), align: "right", card: "main" },
  { title: "Price", cell: (row) => price(row.averagePrice), align: "right" },
  { title: "Change", cell: (row) => changeOf(row.change) },
  { title: "Client", cell: clientCell },
]

interface RecordsProps {
  report: ImportReport
  isFirmWide: boolean
}

/** Clients, funds or orders that a file adds; existing ones are marked. */
export function ImportedRecords({ report, isFirmWide }: RecordsProps) {
  const shown = <Row,>(columns: Column<Row>[]) =>
    isFirmWide ? columns : columns.filter((column) => column.title !== "Client")
  return (
    <>
      <Records title="Clients" rows={report.clients} columns={clientColumns} />
      <Records title="Funds" rows={report.flows} columns={shown(flowColumns)} />
      <Records title="Orders" rows={report.orders} columns={shown(orderColumns)} />
    </>
  )
}

interface ListProps<Row> {
  title: string
  rows: Row[]
  columns: Column<Row>[]
}

function Records<Row extends { line: number }>({ title, rows, columns }: ListProps<Row>) {
  const { rows: page, pagination } = usePages(rows, 50)
  if (rows.length === 0) return null
  return (
    <Section title={title}>
      <div className={styles.framed}>
        <Table
          label={title}
          columns={columns}
          rows={page}
          rowKey={(row) => String(row.line)}
          rowName={(row) => `Line ${row.line}`}
          maxHeight={300}
          empty={{ title: "No Data Available" }}
        />
        {pagination.total > pagination.limit && <Pagination {...pagination} label={title} />}
      </div>
    </Section>
  )
}
