import { Checkbox } from "@mantine/core"
import { useState } from "react"
import { date, dateRange } from "@/lib/dates"
import { count } from "@/lib/format"
import styles from "@/parts/import.module.css"
import { ImportDrop, ImportFoot, RefusedLines, Section, Tallies } from "@/parts/import-parts"
import { useImportForm } from "@/parts/use-import-form"
import { Button } from "@/ui/button"
import { Field } from "@/ui/form/fields"
import { Modal } from "@/ui/overlay/modal"
import { ErrorNote, Loading } from "@/ui/states"
import { type BenchmarkReport, useImportBenchmark } from "./benchmark-queries"

/** Imports the values of an index: the file is checked at once, shown, then applied. */
export function ImportBenchmark({ onClose }: { onClose: () => void }) {
  const importing = useImportBenchmark()
  const form = useImportForm(importing)
  const [name, setName] = useState("")
  const [replaces, setReplaces] = useState(false)
  const { file, fault, report } = form
  const chosen = { name: name.trim(), replaces }
  return (
    <Modal title="Import index values" isOpen onClose={onClose} width={720}>
      {fault !== null && <ErrorNote message={fault} />}
      {importing.isPending && report === null && <Loading text="Checking the file..." />}
      {report === null && !importing.isPending && (
        <>
          <Field
            label="Index"
            description="Only for a file with several indices: the whole name, as in the file."
            maxLength={80}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Checkbox
            label="Replace values that differ from the stored ones"
            size="sm"
            checked={replaces}
            onChange={(event) => setReplaces(event.currentTarget.checked)}
          />
          <ImportDrop
            accept=".csv,.json,.txt"
            hint="The provider’s total returns or prices of an index, as CSV or JSON. It is checked first; nothing changes yet."
            onFile={(next) => form.choose({ file: next, isDryRun: true, ...chosen })}
            onRefused={form.setFault}
          />
        </>
      )}
      {report !== null && file !== null && (
        <>
          <ReportView report={report} />
          <ImportFoot
            isApplied={!report.isDryRun}
            canApply={report.canApply}
            isBusy={importing.isPending}
            onApply={() => form.run({ file, isDryRun: false, ...chosen })}
            onClose={onClose}
          >
            <span />
            <Button onClick={form.reset}>Choose another file</Button>
          </ImportFoot>
        </>
      )}
    </Modal>
  )
}

const tallies = {
  added: "Added",
  replaced: "Replaced",
  unchanged: "Unchanged",
  withoutValue: "Without a value",
  refused: "Refused",
}

function ReportView({ report }: { report: BenchmarkReport }) {
  const { counts, refused, warnings, gaps } = report
  return (
    <div className={styles.report}>
      <p className={styles.head}>
        <strong>{report.name}</strong> {report.kind === "PRICE" && "Price index, without dividends"}{" "}
        {dateRange(report.firstOn, report.lastOn)}
      </p>
      <p className={styles.message} role="status" data-tone={report.isDryRun ? undefined : "gain"}>
        {report.isDryRun ? report.message : `Imported. ${report.message}`}
      </p>
      <Tallies titles={tallies} counts={counts} />
      <RefusedLines rows={refused} total={counts.refused} />
      {warnings.length > 0 && (
        <Section title="Look at these">
          <ul className={styles.lines}>
            {warnings.map((note) => (
              <li key={`${note.line} ${note.text}`}>
                <span className="muted">Line {note.line}</span>
                <span>{note.text}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {gaps.length > 0 && (
        <Section title="Business days without a value">
          <ul className={styles.lines}>
            {gaps.map((gap) => (
              <li key={gap.from}>
                <span>
                  {date(gap.from)} to {date(gap.to)}: {count(gap.days)}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  )
}
