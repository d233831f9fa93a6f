import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { dateTime } from "@/lib/dates"
import { count } from "@/lib/format"
import { useProgress } from "@/live/progress"
import { ProgressBar } from "@/ui/states"
import { lastRunQuery, type SyncRun, useRefresh } from "./queries"
import styles from "./readiness.module.css"

/** The progress of a sync, and its outcome afterwards. */
export function RunLine() {
  const { data: run, isPending } = useQuery(lastRunQuery)
  const progress = useProgress(run?._id ?? null)
  const isRunning = run?.state === "RUNNING" && progress?.state !== "DONE"
  const refresh = useRefresh()
  const wasRunning = useRef(false)
  useEffect(() => {
    if (wasRunning.current && !isRunning) void refresh()
    wasRunning.current = isRunning
  })
  // Its place, so that the list below does not move when it comes.
  if (isPending) return <div className={styles.run}>{"\u00a0"}</div>
  if (!run) return null
  return (
    <div className={styles.run} role="status" aria-label="Last sync">
      {isRunning ? (
        <ProgressBar
          label="Syncing clients"
          done={Math.max(progress?.done ?? 0, run.done)}
          total={run.total}
          step="Syncing"
        />
      ) : (
        <span>
          {kinds[run.kind]} of {dateTime(run.startedAt)}: {summaryOf(run)}
        </span>
      )}
    </div>
  )
}

const kinds: Record<SyncRun["kind"], string> = {
  ASKED: "Sync",
  LOGIN: "Sync after log-ins",
  NIGHTLY: "Sync after the close",
  EVENING: "Sync after the closing session",
  AGAIN: "Repeated sync",
}

function summaryOf({ counts, total }: SyncRun): string {
  if (total === 0) return "all clients had just been synced."
  const parts: [number, string][] = [
    [counts.done, "synced"],
    [counts.dead, "with an ended session"],
    [counts.doubted, "to confirm"],
    [counts.failed, "failed"],
    [counts.noSession, "not logged in"],
    [counts.waiting, "waiting"],
  ]
  const outcomes = parts.filter(([number]) => number > 0)
  return `${outcomes.map(([number, words]) => `${count(number)} ${words}`).join(" · ")}.`
}
