import { useNavigate } from "@tanstack/react-router"
import { chooseClient } from "@/api/session"
import { date, today } from "@/lib/dates"
import { rupees } from "@/lib/format"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { DateRangeField } from "@/ui/form/date-range-field"
import { Segments } from "@/ui/form/segments"
import { GoTo } from "@/ui/go-to"
import { useAmountsHidden } from "@/ui/money"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { type Column, Table } from "@/ui/table/table"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import styles from "./fees.module.css"
import { InvoiceLink } from "./invoice-cell"
import {
  INVOICE_KINDS,
  type InvoiceRow,
  invoicesFile,
  invoicesQuery,
  type InvoicesView,
  MODES,
} from "./invoice-queries"

const noFilter = { query: "", from: "", to: "", kind: "" } as const

/** Every invoice and credit note of the firm; a row opens the client's fees. */
export function Invoices({ view, onView }: ListProps<InvoicesView>) {
  usePageTitle("Invoices")
  useAmountsHidden()
  const navigate = useNavigate()
  const list = useListScreen({ view, onView, query: invoicesQuery(view), noFilter })
  const open = (row: InvoiceRow) => {
    chooseClient(row.client, row.clientId)
    void navigate({ to: "/home/client/fees" })
  }
  return (
    <Screen>
      <Card flush>
        <Toolbar>
          <SearchField label="Search by number or client" {...list.search} />
          <Segments
            label="Kind"
            choices={INVOICE_KINDS}
            value={view.kind}
            onChoice={(kind) => list.filter({ kind })}
          />
          <DateRangeField
            label="Issued"
            value={list.dates.range}
            today={today()}
            onRange={list.dates.onRange}
          />
          {list.dates.range && (
            <Button kind="subtle" onClick={() => list.dates.onRange(null)}>
              Clear filter
            </Button>
          )}
        </Toolbar>
        <Table
          {...list.table}
          label="Invoices"
          name="invoices"
          download={(format) => invoicesFile(view, format)}
          columns={columns}
          rowKey={(row) => row._id}
          rowName={(row) => row.number}
          onOpen={open}
          skeletonRows={view.limit}
          empty={list.empty({
            hint: "Each fee marked paid gets an invoice once they are switched on in Settings, Invoices.",
            action: <GoTo to="/home/fees">Go to Fees</GoTo>,
            noMatch: "No invoice matches.",
          })}
        />
        <Pagination {...list.pages} sizes={[10, 20, 50]} label="Pages of the invoices" />
      </Card>
    </Screen>
  )
}

const columns: Column<InvoiceRow>[] = [
  {
    title: "Number",
    cell: (row) => <InvoiceLink id={row._id} number={row.number} />,
    sortKey: "number",
    card: "aside",
  },
  { title: "Issued", cell: (row) => date(row.issuedOn), sortKey: "issuedOn", card: "note" },
  {
    title: "Client Name",
    cell: (row) => (
      <span className={styles.name}>
        <strong>{row.userName}</strong>
        <span className="muted">{row.clientId}</span>
      </span>
    ),
    sortKey: "userName",
    card: "title",
  },
  {
    title: "Kind",
    cell: (row) => (row.corrects === null ? "Invoice" : `Credit note for ${row.corrects}`),
    card: "rest",
  },
  { title: "Paid Date", cell: (row) => date(row.paidOn), sortKey: "paidOn", card: "rest" },
  { title: "Mode of Payment", cell: (row) => MODES[row.modeOfPayment], card: "rest" },
  {
    title: "Value",
    cell: (row) => rupees(row.value),
    sortKey: "value",
    align: "right",
    card: "rest",
  },
  { title: "Tax", cell: (row) => rupees(row.tax), align: "right", card: "rest" },
  {
    title: "Total",
    cell: (row) => rupees(row.total),
    sortKey: "total",
    align: "right",
    card: "main",
  },
]
