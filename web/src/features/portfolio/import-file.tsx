import { Checkbox } from "@mantine/core"
import { useState } from "react"
import { messageOf } from "@/api/client"
import { useProgress } from "@/live/progress"
import { Button } from "@/ui/button"
import { FileDrop } from "@/ui/form/file-drop"
import { Modal } from "@/ui/overlay/modal"
import { ErrorNote, Loading, ProgressBar } from "@/ui/states"
import { type AskedImport, type ImportReport, useImport } from "./import-calls"
import { ImportReportView } from "./import-report"
import styles from "./import.module.css"

/** What a person means to bring in; any file that is known is taken all the same. */
export type ImportKind = "holdings" | "clients" | "funds"

interface ImportFileProps {
  kind: ImportKind
  /** The client whom the file is for; a firm-wide file names its clients itself. */
  clientId?: string
  onClose: () => void
}

const titles: Record<ImportKind, string> = {
  holdings: "Import holdings",
  clients: "Import clients",
  funds: "Import funds",
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
    "The ledger or the tradebook of Zerodha Console, or a file with date, amount and type.",
  ],
}

/** A file: checked at once, shown, then applied whole or not at all. */
export function ImportFile({ kind, clientId, onClose }: ImportFileProps) {
  const [file, setFile] = useState<File | null>(null)
  const [leavesOut, setLeavesOut] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const { act, running } = useImport(clientId)
  const [report, setReport] = useState<ImportReport | null>(null)
  const isFirmWide = clientId === undefined

  const run = (asked: AskedImport) => {
    setFault(null)
    act.mutate(asked, {
      onSuccess: setReport,
      onError: (error) => setFault(messageOf(error, "The file could not be imported.")),
    })
  }
  const choose = (next: File) => {
    setFile(next)
    setReport(null)
    setLeavesOut(false)
    run({ file: next, isDryRun: true, leaveOutRefused: false })
  }
  const again = () => {
    setFile(null)
    setReport(null)
    setFault(null)
  }
  // A second check leaves the first report on show, so that the focus stays where it is.
  const isWorking = act.isPending && (report === null || !act.variables.isDryRun)
  return (
    <Modal title={titles[kind]} isOpen onClose={onClose} width={860}>
      {fault !== null && <ErrorNote message={fault} />}
      {isWorking ? (
        <Working report={running} isDryRun={report === null} />
      ) : file === null || report === null ? (
        <div className={styles.drop}>
          <FileDrop
            label="Drop a file here, or choose one"
            accept=".csv,.xlsx"
            hint={`${hints[kind][isFirmWide ? 0 : 1]} It is checked first; nothing changes yet.`}
            onFile={choose}
            onRefused={setFault}
          />
        </div>
      ) : (
        <>
          <ImportReportView report={report} isFirmWide={isFirmWide} />
          <div className={styles.foot}>
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
            {report.state !== "APPLIED" && <Button onClick={again}>Choose another file</Button>}
            {report.state === "CHECKED" && (
              <Button
                kind="primary"
                disabled={!report.canApply}
                isBusy={act.isPending}
                onClick={() => run({ file, isDryRun: false, leaveOutRefused: leavesOut })}
              >
                Apply
              </Button>
            )}
            {report.state === "APPLIED" && (
              <Button kind="primary" data-autofocus onClick={onClose}>
                Done
              </Button>
            )}
          </div>
        </>
      )}
    </Modal>
  )
}

/** Progress as the socket tells it; where the socket is silent, as the server was last asked. */
function Working({ report, isDryRun }: { report: ImportReport | null; isDryRun: boolean }) {
  const told = useProgress(report?._id ?? null)
  const last = told ?? report
  if (!last || last.total === 0) {
    return <Loading text={isDryRun ? "Checking the file..." : "Applying..."} />
  }
  return <ProgressBar label={last.step} done={last.done} total={last.total} step={last.step} />
}
