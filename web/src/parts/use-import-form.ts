import type { UseMutationResult } from "@tanstack/react-query"
import { useState } from "react"
import { messageOf } from "@/api/client"

interface Request {
  file: File
  isDryRun: boolean
}

/** The state of an import dialog: the chosen file is checked at once, and its report shown before it is applied. */
export function useImportForm<Report, Body extends Request>(
  importing: UseMutationResult<Report, Error, Body>,
) {
  const [file, setFile] = useState<File | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [report, setReport] = useState<Report | null>(null)
  const run = (request: Body) => {
    setFault(null)
    importing.mutate(request, {
      onSuccess: setReport,
      onError: (error) => setFault(messageOf(error, "The file could not be imported.")),
    })
  }
  const choose = (request: Body) => {
    setFile(request.file)
    setReport(null)
    run(request)
  }
  const reset = () => {
    setFile(null)
    setReport(null)
    setFault(null)
  }
  return { file, fault, report, setFault, run, choose, reset }
}
