import { count, price } from "@/lib/format"
import { CheckedImport } from "@/parts/checked-import"
import styles from "@/parts/import.module.css"
import { RefusedLines, Section, Tallies } from "@/parts/import-parts"
import { Pagination } from "@/ui/table/pagination"
import { type Column, Table } from "@/ui/table/table"
import { usePages } from "@/ui/table/use-pages"
import { type HighReport, type ImportedHigh, useImportHighs } from "./queries"

/** Imports the highs of 31 January 2018 for all clients: checked at once, shown, then applied. */
export function ImportHighs({ onClose }: { onClose: () => void }) {
  const importing = useImportHighs()
  return (
    <CheckedImport
      title="Import highs of 31 January 2018"
      width={720}
      accept=".csv,.xlsx"
      hint="A CSV with the columns ISIN and High, or an exchange's daily file of that day. It holds for all clients."
      importing={importing}
      reportView={(report) => <ReportView report={report} />}
      onClose={onClose}
    />
  )
}

const columns: Column<ImportedHigh>[] = [
  {
    title: "Stock",
    cell: (row) => <strong>{row.tradingSymbol || row.isin}</strong>,
    card: "title",
  },
  { title: "ISIN", cell: (row) => row.isin, card: "note" },
  { title: "High", cell: (row) => price(row.high), align: "right", card: "main" },
]

const tallies = {
  added: "Added",
  unchanged: "Already entered",
  otherSeries: "Other series",
  refused: "Refused",
}

function ReportView({ report }: { report: HighReport }) {
  const { counts, refused } = report
  const { rows, pagination } = usePages(report.rows, 10)
  return (
    <div className={styles.report}>
      <p className={styles.head}>
        <strong>{report.fileName}</strong>
      </p>
      <p className={styles.message} role="status" data-tone={report.isDryRun ? undefined : "gain"}>
        {report.isDryRun ? report.message : `Imported. ${report.message}`}
      </p>
      <Tallies titles={tallies} counts={counts} />
      <RefusedLines title="Left out" rows={refused} total={counts.refused} />
      {report.rows.length > 0 && (
        <Section title="Highs">
          <div className={styles.framed}>
            <Table
              label="Highs"
              columns={columns}
              rows={rows}
              rowKey={(row) => String(row.line)}
              isDense
              empty={{ title: "No Data Available" }}
            />
          </div>
          <Pagination {...pagination} label="Pages of highs" />
          {report.rowsLeftOut > 0 && (
            <p className={styles.quiet}>and {count(report.rowsLeftOut)} more</p>
          )}
        </Section>
      )}
    </div>
  )
}
