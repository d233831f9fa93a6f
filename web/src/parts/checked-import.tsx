import type { UseMutationResult } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Button } from "@/ui/button"
import { Modal } from "@/ui/overlay/modal"
import { ErrorNote, Loading } from "@/ui/states"
import { ImportDrop, ImportFoot } from "./import-parts"
import { useImportForm } from "./use-import-form"

interface CheckedImportProps<Report> {
  title: string
  width: number
  /** The endings of file names that can be chosen, as in `.csv,.zip`. */
  accept: string
  /** What the file is. That it is checked first is said after it. */
  hint: string
  importing: UseMutationResult<Report, Error, { file: File; isDryRun: boolean }>
  /** Shows what the check found, or what was imported. */
  reportView: (report: Report) => ReactNode
  onClose: () => void
}

/** The dialog of a file without options: it is checked at once, its report is shown, then it is applied. */
export function CheckedImport<Report extends { isDryRun: boolean; canApply: boolean }>(
  props: CheckedImportProps<Report>,
) {
  const { title, width, accept, hint, importing, reportView, onClose } = props
  const { file, fault, report, setFault, run, choose, reset } = useImportForm(importing)
  return (
    <Modal title={title} isOpen onClose={onClose} width={width}>
      {fault !== null && <ErrorNote message={fault} />}
      {file === null || report === null ? (
        importing.isPending ? (
          <Loading text="Checking the file..." />
        ) : (
          <ImportDrop
            accept={accept}
            hint={`${hint} It is checked first; nothing changes yet.`}
            onFile={(next) => choose({ file: next, isDryRun: true })}
            onRefused={setFault}
          />
        )
      ) : (
        <>
          {reportView(report)}
          <ImportFoot
            isApplied={!report.isDryRun}
            canApply={report.canApply}
            isBusy={importing.isPending}
            onApply={() => run({ file, isDryRun: false })}
            onClose={onClose}
          >
            <span />
            <Button onClick={reset}>Choose another file</Button>
          </ImportFoot>
        </>
      )}
    </Modal>
  )
}
