import { Checkbox } from "@mantine/core"
import { useState } from "react"
import { useProgress } from "@/live/progress"
import { Button } from "@/ui/button"
import { Modal } from "@/ui/overlay/modal"
import { ErrorNote, Loading, ProgressBar } from "@/ui/states"
import { type ImportReport, useImport } from "./import-calls"
import { ImportDrop, ImportFoot } from "@/parts/import-parts"
import { ImportReportView } from "./import-report"
import { useImportForm } from "@/parts/use-import-form"

/** What the dialog is opened for; any known file is accepted. */
export type ImportKind = "holdings" | "clients" | "funds" | "trades"

interface ImportFileProps {
  kind: ImportKind
  /** The client the file is for; a firm-wide file names its clients. */
  clientId?: string
  onClose: () => void
}

const titles: Record<ImportKind, string> = {
  holdings: "Import holdings",
  clients: "Import clients",
  funds: "Import funds",
  trades: "Import tradebook",
}

const hints: Record<ImportKind, [all: string, one: string]> = {
  holdings: [
    "A CSV for all clients, with a client code in each row.",
    "Holdings from Zerodha Kite or Console, or from Angel One.",
  ],
  clients: [
    "CSV or XLSX with the columns name, country code, contact, email and role.",
    "CSV or XLSX with the columns name, country code, contact, email and role.",
  ],
  funds: [
    "CSV or XLSX with the columns client_code, date, amount and type.",
    "The ledger or tradebook of Zerodha Console, the trades history of Angel One, or a file with date, amount and type.",
  ],
  trades: [
    "The tradebook of Zerodha Console, or the trades history of Angel One.",
    "The tradebook of Zerodha Console, or the trades history of Angel One.",
  ],
}

/** Imports a file: it is checked at once, shown, then applied as a whole. */
export function ImportFile({ kind, clientId, onClose }: ImportFileProps) {
  const [leavesOut, setLeavesOut] = useState(false)
  const { importing, running } = useImport(clientId)
  const { file, fault, report, setFault, run, choose, reset } = useImportForm(importing)
  const isFirmWide = clientId === undefined

  const chooseFile = (next: File) => {
    setLeavesOut(false)
    choose({ file: next, isDryRun: true, leaveOutRefused: false })
  }
  // During a second check the first report stays visible, so that the focus stays in place.
  const isWorking = importing.isPending && (report === null || !importing.variables.isDryRun)
  return (
    <Modal title={titles[kind]} isOpen onClose={onClose} width={860}>
      {fault !== null && <ErrorNote message={fault} />}
      {isWorking ? (
        <Working report={running} isDryRun={report === null} />
      ) : file === null || report === null ? (
        <ImportDrop
          accept=".csv,.xlsx"
          hint={`${hints[kind][isFirmWide ? 0 : 1]} It is checked first; nothing changes yet.`}
          onFile={chooseFile}
          onRefused={setFault}
        />
      ) : (
        <>
          <ImportReportView report={report} isFirmWide={isFirmWide} />
          <ImportFoot
            isApplied={report.state === "APPLIED"}
            canApply={report.state === "CHECKED" ? report.canApply : undefined}
            isBusy={importing.isPending}
            onApply={() => run({ file, isDryRun: false, leaveOutRefused: leavesOut })}
            onClose={onClose}
          >
            {report.state === "CHECKED" && report.counts.refused > 0 ? (
              <Checkbox
                label="Leave out the refused rows"
                checked={leavesOut}
                onChange={(event) => {
                  const leaveOutRefused = event.currentTarget.checked
                  setLeavesOut(leaveOutRefused)
                  run({ file, isDryRun: true, leaveOutRefused })
                }}
              />
            ) : (
              <span />
            )}
            {report.state !== "APPLIED" && <Button onClick={reset}>Choose another file</Button>}
          </ImportFoot>
        </>
      )}
    </Modal>
  )
}

/** Progress from the socket, or from the last poll. */
function Working({ report, isDryRun }: { report: ImportReport | null; isDryRun: boolean }) {
  const progress = useProgress(report?._id ?? null)
  const last = progress ?? report
  if (!last || last.total === 0) {
    return <Loading text={isDryRun ? "Checking the file..." : "Applying..."} />
  }
  return <ProgressBar label={last.step} done={last.done} total={last.total} step={last.step} />
}
