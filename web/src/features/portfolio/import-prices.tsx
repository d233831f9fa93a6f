import { useMutation, useQueryClient } from "@tanstack/react-query"
import { api, asForm, dataOf } from "@/api/client"
import type { components } from "@/api/schema"
import { date } from "@/lib/dates"
import { count, price } from "@/lib/format"
import { priceTime, sourceName } from "@/lib/price-sources"
import { Pagination } from "@/ui/table/pagination"
import { type Column, Table } from "@/ui/table/table"
import { usePages } from "@/ui/table/use-pages"
import { CheckedImport } from "@/parts/checked-import"
import styles from "@/parts/import.module.css"
import { RefusedLines, Section, Tallies } from "@/parts/import-parts"

type PriceReport = components["schemas"]["PriceImportReport"]
type PriceRow = components["schemas"]["PriceChangeRow"]

interface PriceImportRequest {
  file: File
  isDryRun: boolean
}

const send = ({ file, isDryRun }: PriceImportRequest) =>
  dataOf(
    api.POST("/admin/imports/prices", {
      // The schema types a file as text; the form below is what is sent.
      body: { file: file.name, dryRun: isDryRun },
      bodySerializer: () => asForm({ file, dryRun: isDryRun }),
    }),
  )

/** Imports an exchange's file of closing prices: it is checked at once, shown, then applied. */
export function ImportPrices({ onClose }: { onClose: () => void }) {
  const cache = useQueryClient()
  const importing = useMutation({
    mutationFn: send,
    // Every figure may depend on a price.
    onSuccess: (_, { isDryRun }) => (isDryRun ? undefined : cache.invalidateQueries()),
  })
  return (
    <CheckedImport
      title="Import closing prices"
      width={860}
      accept=".csv,.zip"
      hint="The daily file of closing prices (BhavCopy) of NSE or BSE, as CSV or zip."
      importing={importing}
      reportView={(report) => <PriceReportView report={report} />}
      onClose={onClose}
    />
  )
}

const columns: Column<PriceRow>[] = [
  {
    title: "Stock",
    cell: (row) => (
      <>
        <strong title={row.name}>{row.tradingSymbol}</strong>{" "}
        <span className="muted">{row.series}</span>
        {row.actionSuspected && <span className="warn"> Action suspected</span>}
      </>
    ),
    card: "title",
  },
  {
    title: "Price before",
    cell: (row) => <span className="muted">{price(row.priceBefore)}</span>,
    align: "right",
  },
  {
    title: "Previous date",
    cell: (row) => (
      <span className="muted" title={sourceName(row.sourceBefore)}>
        {priceTime(row.pricedAtBefore, row.sourceBefore)}
      </span>
    ),
  },
  { title: "Close", cell: (row) => price(row.price), align: "right", card: "main" },
  { title: "Line", cell: (row) => count(row.line), align: "right" },
]

const tallies = {
  added: "Added",
  changed: "Changed",
  unchanged: "Unchanged",
  kept: "Newer price exists",
  unknown: "Not used here",
  refused: "Refused",
}

function PriceReportView({ report }: { report: PriceReport }) {
  const { counts, refused } = report
  const { rows, pagination } = usePages(report.rows, 10)
  return (
    <div className={styles.report}>
      <p className={styles.head}>
        <strong>{report.fileName}</strong>
        <span className={styles.quiet}>
          {sourceName(report.source)} · {date(report.day)}
        </span>
      </p>
      <p className={styles.message} role="status" data-tone={report.isDryRun ? undefined : "gain"}>
        {report.isDryRun ? report.message : `Imported. ${report.message}`}
      </p>
      <Tallies titles={tallies} counts={counts} />
      <RefusedLines rows={refused} total={counts.refused} />
      {report.rows.length > 0 && (
        <Section title="Prices">
          <div className={styles.framed}>
            <Table
              label="Prices"
              columns={columns}
              rows={rows}
              rowKey={(row) => String(row.line)}
              isDense
              empty={{ title: "No Data Available" }}
            />
          </div>
          <Pagination {...pagination} label="Pages of prices" />
          {report.rowsLeftOut > 0 && (
            <p className={styles.quiet}>and {count(report.rowsLeftOut)} more</p>
          )}
        </Section>
      )}
    </div>
  )
}
