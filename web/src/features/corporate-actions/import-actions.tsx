import { date } from "@/lib/dates"
import { count } from "@/lib/format"
import { CheckedImport } from "@/parts/checked-import"
import styles from "@/parts/import.module.css"
import { RefusedLines, Section, Tallies } from "@/parts/import-parts"
import { Pagination } from "@/ui/table/pagination"
import { type Column, Table } from "@/ui/table/table"
import { usePages } from "@/ui/table/use-pages"
import { type ActionReport, type ImportedAction, useImportActions } from "./queries"
import { kindWords } from "./words"

/** Imports NSE's list of corporate actions: it is checked at once, shown, then applied. */
export function ImportActions({ onClose }: { onClose: () => void }) {
  const importing = useImportActions()
  return (
    <CheckedImport
      title="Import corporate actions"
      width={860}
      accept=".csv,.json"
      hint="NSE's list of corporate actions, as CSV or JSON."
      importing={importing}
      reportView={(report) => <ReportView report={report} />}
      onClose={onClose}
    />
  )
}

const columns: Column<ImportedAction>[] = [
  {
    title: "Stock",
    cell: (row) => (
      <>
        <strong title={row.name ?? row.isin}>{row.tradingSymbol}</strong>
        {row.change === "REMOVED" && <span className="warn"> Removed before</span>}
      </>
    ),
    card: "title",
  },
  { title: "Ex-date", cell: (row) => date(row.exOn), card: "main" },
  { title: "Action", cell: (row) => kindWords[row.kind] },
  { title: "What happens", cell: (row) => <span title={row.purpose}>{row.effect}</span> },
  { title: "Clients", cell: (row) => count(row.clients), align: "right" },
]

const tallies = {
  added: "Added",
  unchanged: "Already entered",
  removed: "Removed before",
  unknown: "Unknown stocks",
  noAction: "No action",
  refused: "Refused",
}

function ReportView({ report }: { report: ActionReport }) {
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
      <RefusedLines title="Left out" rows={refused} total={counts.refused + counts.unknown} />
      {report.rows.length > 0 && (
        <Section title="Actions">
          <div className={styles.framed}>
            <Table
              label="Actions"
              columns={columns}
              rows={rows}
              rowKey={(row) => `${row.line} ${row.kind}`}
              isDense
              empty={{ title: "No Data Available" }}
            />
          </div>
          <Pagination {...pagination} label="Pages of actions" />
          {report.rowsLeftOut > 0 && (
            <p className={styles.quiet}>and {count(report.rowsLeftOut)} more</p>
          )}
        </Section>
      )}
    </div>
  )
}
