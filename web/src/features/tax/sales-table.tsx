import { date } from "@/lib/dates"
import { quantity, rupees } from "@/lib/format"
import { Card } from "@/ui/card"
import { Change, useAmountsHidden } from "@/ui/money"
import { Pagination } from "@/ui/table/pagination"
import { type Column, type Download, type Fetching, Table } from "@/ui/table/table"
import { usePages } from "@/ui/table/use-pages"
import type { Disposal, Gains } from "./queries"
import styles from "./tax.module.css"
import { disposalWords, termWords } from "./words"

const columns: Column<Disposal>[] = [
  {
    title: "Stock",
    cell: (row) => (
      <span className={styles.stock}>
        <strong>{row.tradingSymbol}</strong>
        {disposalWords[row.kind] !== "" && <small>{disposalWords[row.kind]}</small>}
      </span>
    ),
    card: "title",
  },
  { title: "Sold", cell: (row) => date(row.soldOn), card: "note" },
  { title: "Bought", cell: (row) => date(row.boughtOn) },
  { title: "Shares", cell: (row) => quantity(row.quantity), align: "right" },
  { title: "Term", cell: (row) => (row.term ? termWords[row.term] : "-"), card: "aside" },
  { title: "Proceeds", cell: (row) => rupees(row.proceeds), align: "right" },
  { title: "Cost", cell: (row) => rupees(row.cost), align: "right" },
  {
    title: "Gain",
    cell: (row) =>
      row.reason === null ? (
        <Change value={row.gain} />
      ) : (
        <span className="warn" title={row.reasonText}>
          Not known<span className="sr-only">. {row.reasonText}</span>
        </span>
      ),
    align: "right",
    card: "main",
  },
]

interface SalesTableProps {
  gains: Gains | undefined
  state: Fetching
  download: Download
}

/** What was sold in the year, lot by lot. */
export function SalesTable({ gains, state, download }: SalesTableProps) {
  useAmountsHidden()
  const { rows, pagination } = usePages(gains?.disposals, 20)
  return (
    <Card flush title="Realised gains">
      <Table
        label="Realised gains"
        name="realised-gains"
        columns={columns}
        download={download}
        rows={rows}
        rowKey={(row) => String(gains?.disposals.indexOf(row))}
        rowName={(row) => `${row.tradingSymbol}, sold ${date(row.soldOn)}`}
        state={state}
        skeletonRows={4}
        empty={{ title: "No Data Available", hint: "Nothing was sold in this tax year." }}
      />
      {pagination.total > 20 && (
        <Pagination {...pagination} sizes={[20, 50, 100]} label="Pages of realised gains" />
      )}
    </Card>
  )
}
