import { date } from "@/lib/dates"
import { count, price, quantity, rupees } from "@/lib/format"
import { Pagination } from "@/ui/table/pagination"
import { type PillTone, StatusPill } from "@/ui/status-pill"
import { type Column, Table } from "@/ui/table/table"
import { usePages } from "@/ui/table/use-pages"
import type { ImportReport, ImportRow } from "./import-calls"
import { Section, Tallies } from "@/parts/import-parts"
import { ImportedRecords } from "./imported-records"
import styles from "@/parts/import.module.css"

const tones: Record<ImportRow["change"], PillTone> = {
  ADDED: "gain",
  CHANGED: "brand",
  REMOVED: "loss",
  UNCHANGED: "neutral",
}

/** `20 → 35`; one figure where there was none before, or nothing changed. */
function FromTo({ before, after }: { before: string | null; after: string | null }) {
  if (before === after || before === null) return after
  return (
    <>
      <span className="muted">{before}</span>
      <span className={styles.arrow} aria-label="becomes">
        →
      </span>
      {after ?? "0"}
    </>
  )
}

const shown = (figure: number | null, format: (value: number) => string) =>
  figure === null ? null : format(figure)

const clientColumn: Column<ImportRow> = {
  title: "Client",
  cell: (row) => (
    <>
      <span className="muted">{row.clientId}</span> {row.clientName}
    </>
  ),
  card: "note",
}

const rowColumns: Column<ImportRow>[] = [
  {
    title: "Stock",
    cell: (row) => <strong title={row.name}>{row.tradingSymbol || row.isin}</strong>,
    card: "title",
  },
  {
    title: "Change",
    cell: (row) => <StatusPill word={row.change} tone={tones[row.change]} />,
    card: "note",
  },
  {
    title: "Quantity",
    cell: (row) => (
      <FromTo
        before={shown(row.quantityBefore, quantity)}
        after={shown(row.quantityAfter, quantity)}
      />
    ),
    align: "right",
    card: "main",
  },
  {
    title: "Average Price",
    cell: (row) =>
      row.change === "REMOVED" ? (
        <span className="muted">{price(row.averagePriceBefore)}</span>
      ) : (
        <FromTo
          before={shown(row.averagePriceBefore, price)}
          after={shown(row.averagePriceAfter, price)}
        />
      ),
    align: "right",
  },
  { title: "Line", cell: (row) => count(row.line), align: "right" },
]

const tallies = {
  added: "Added",
  changed: "Changed",
  removed: "Removed",
  unchanged: "Unchanged",
  refused: "Refused",
}

/** The file and its changes, before they are applied or after. */
export function ImportReportView({ report, isFirmWide }: ReportProps) {
  const changes = report.rows.filter((row) => row.change !== "UNCHANGED")
  const cash = report.cash.filter((each) => each.before !== each.after)
  const isSame = report.counts.added === 0 && changes.length === 0 && cash.length === 0
  return (
    <div className={styles.report}>
      <p className={styles.head}>
        <strong>{report.fileName}</strong>
        <span className={styles.quiet}>
          {[
            report.kindName,
            report.asOn && `as on ${date(report.asOn)}`,
            report.brokerClientId && `broker ID ${report.brokerClientId}`,
            isFirmWide && `${count(report.counts.clients)} clients`,
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </p>
      <p
        className={styles.message}
        role="status"
        data-tone={
          report.state === "FAILED" ? "loss" : report.state === "APPLIED" ? "gain" : undefined
        }
      >
        {isSame && report.state === "CHECKED" ? (
          <>
            <strong>No changes.</strong> {report.message}
          </>
        ) : (
          report.message
        )}
      </p>
      <Tallies titles={tallies} counts={report.counts} />
      <Refused report={report} />
      <ImportedRecords report={report} isFirmWide={isFirmWide} />
      {changes.length > 0 && <Changes rows={changes} report={report} isFirmWide={isFirmWide} />}
      {cash.length > 0 && (
        <Section title="Cash">
          <ul className={styles.lines}>
            {cash.map((each) => (
              <li key={each.clientId}>
                <span className="muted">{each.clientId}</span>
                <span>
                  {isFirmWide && `${each.clientName}: `}
                  <FromTo before={shown(each.before, rupees)} after={shown(each.after, rupees)} />
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Notes title="Warnings" notes={report.warnings} />
      <Notes title="Not imported" notes={report.leftOut.map((text) => ({ line: null, text }))} />
    </div>
  )
}

interface ReportProps {
  report: ImportReport
  isFirmWide: boolean
}

function Changes({ rows, report, isFirmWide }: ReportProps & { rows: ImportRow[] }) {
  const { rows: page, pagination } = usePages(rows, 50)
  return (
    <Section title={report.state === "APPLIED" ? "What changed" : "What will change"}>
      <div className={styles.framed}>
        <Table
          label="Changes"
          columns={isFirmWide ? [clientColumn, ...rowColumns] : rowColumns}
          rows={page}
          rowKey={(row) => `${row.clientId}:${row.isin}:${row.tradingSymbol}`}
          rowName={(row) => row.tradingSymbol}
          maxHeight={300}
          empty={{ title: "No Data Available" }}
        />
        {pagination.total > pagination.limit && <Pagination {...pagination} label="Changes" />}
      </div>
      {report.rowsLeftOut > 0 && (
        <p className={styles.quiet}>{count(report.rowsLeftOut)} more rows are not listed here.</p>
      )}
    </Section>
  )
}

function Refused({ report }: { report: ImportReport }) {
  if (report.refused.length === 0) return null
  return (
    <Section title="Refused rows">
      <ul className={styles.lines}>
        {report.refused.map((row, index) => (
          <li key={`${row.line}:${index}`}>
            <span className="muted">Line {row.line}</span>
            <span>
              <span className="loss">{row.reason}</span>
              {row.text !== "" && <code>{row.text}</code>}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Notes({ title, notes }: { title: string; notes: ImportReport["warnings"] }) {
  if (notes.length === 0) return null
  return (
    <Section title={title}>
      <ul className={styles.lines}>
        {notes.map((note, index) => (
          <li key={`${note.line ?? "-"}:${index}`}>
            <span className="muted">{note.line === null ? "File" : `Line ${note.line}`}</span>
            <span>{note.text}</span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
