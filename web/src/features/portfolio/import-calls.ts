import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef, useState } from "react"
import { api, ApiError, asForm, dataOf } from "@/api/client"
import type { components } from "@/api/schema"
import { toast } from "@/ui/overlay/toast"

export type ImportReport = components["schemas"]["ImportReport"]
export type ImportRow = components["schemas"]["HoldingChangeRow"]

export interface AskedImport {
  file: File
  isDryRun: boolean
  leaveOutRefused: boolean
}

const PAUSE = 1_000
/** How often in a row the server may be out of reach before the import counts as lost from sight. */
const PATIENCE = 30

const send = (clientId: string | undefined, asked: AskedImport) =>
  dataOf(
    api.POST("/admin/clients/import", {
      // The description knows a file only as text; what is sent is the form below.
      body: { file: asked.file.name },
      bodySerializer: () =>
        asForm({
          file: asked.file,
          dryRun: asked.isDryRun,
          clientId,
          leaveOutRefused: asked.leaveOutRefused,
        }),
    }),
  )

const ask = (id: string) =>
  dataOf(api.GET("/admin/imports/{import_id}", { params: { path: { import_id: id } } }))

const pause = () => new Promise((resolve) => setTimeout(resolve, PAUSE))

/** Asks until the import has ended; a server that is out of reach for a moment is asked again. */
async function untilDone(first: ImportReport, tell: (report: ImportReport) => void) {
  let report = first
  let failures = 0
  while (report.state === "RUNNING") {
    tell(report)
    await pause()
    try {
      report = await ask(report._id)
      failures = 0
    } catch (error) {
      failures += 1
      if (!(error instanceof ApiError && error.isNetwork) || failures > PATIENCE) throw error
    }
  }
  return report
}

/**
 * Checks or applies a file. Long work goes on when its dialog is closed, and then reports in a toast.
 * `running` is the last known state of work that takes long.
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

  const act = useMutation({
    mutationFn: async (asked: AskedImport) => {
      setRunning(null)
      return untilDone(await send(clientId, asked), setRunning)
    },
    onSuccess: async (report) => {
      if (report.isDryRun) return
      if (!isShown.current) {
        const tell = report.state === "APPLIED" ? toast.success : toast.error
        tell(report.message, { detail: report.fileName })
      }
      await Promise.all([
        cache.invalidateQueries({ queryKey: ["clients"] }),
        cache.invalidateQueries({ queryKey: ["dashboard"] }),
      ])
    },
  })
  return { act, running }
}
