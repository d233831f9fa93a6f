import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { api, ApiError, asForm, dataOf } from "@/api/client"
import type { components } from "@/api/schema"
import { toast } from "@/ui/overlay/toast"

export type ImportReport = components["schemas"]["ImportReport"]
export type ImportRow = components["schemas"]["HoldingChangeRow"]

interface ImportRequest {
  file: File
  isDryRun: boolean
  leaveOutRefused: boolean
}

const POLL_INTERVAL = 1_000
/** After this many failed polls in a row the server counts as unreachable. */
const MAX_FAILURES = 30

const send = (clientId: string | undefined, request: ImportRequest) =>
  dataOf(
    api.POST("/admin/clients/import", {
      // The schema types a file as text; the form below is what is sent.
      body: { file: request.file.name },
      bodySerializer: () =>
        asForm({
          file: request.file,
          dryRun: request.isDryRun,
          clientId,
          leaveOutRefused: request.leaveOutRefused,
        }),
    }),
  )

const readImport = (id: string) =>
  dataOf(api.GET("/admin/imports/{import_id}", { params: { path: { import_id: id } } }))

const pause = () => new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL))

/** Polls until the import has ended; short network failures are tolerated. */
async function untilDone(first: ImportReport, onProgress: (report: ImportReport) => void) {
  let report = first
  let failures = 0
  while (report.state === "RUNNING") {
    onProgress(report)
    await pause()
    try {
      report = await readImport(report._id)
      failures = 0
    } catch (error) {
      failures += 1
      if (!(error instanceof ApiError && error.isNetwork) || failures > MAX_FAILURES) throw error
    }
  }
  return report
}

/**
 * Checks or applies a file. A long import continues when its dialog is closed, and then reports in a toast.
 * `running` is the last known state of a long import.
 */
export function useImport(clientId: string | undefined) {
  const cache = useQueryClient()
  const [running, setRunning] = useState<ImportReport | null>(null)
  const isShown = useRef(true)
  useEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
    }
  }, [])

  const importing = useMutation({
    mutationFn: async (request: ImportRequest) => {
      setRunning(null)
      return untilDone(await send(clientId, request), setRunning)
    },
    onSuccess: async (report) => {
      if (report.isDryRun) return
      if (!isShown.current) {
        const show = report.state === "APPLIED" ? toast.success : toast.error
        show(report.message, { detail: report.fileName })
      }
      await Promise.all([
        cache.invalidateQueries({ queryKey: ["clients"] }),
        cache.invalidateQueries({ queryKey: ["dashboard"] }),
      ])
    },
  })
  return { importing, running }
}
