import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { useProgress } from "@/live/progress"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { Loading, ProgressBar } from "@/ui/states"
import { runQuery } from "./queries"
import styles from "./book.module.css"
import { useStopRun } from "./use-stop-run"
import type { Run } from "./types"

/** How far the server is, from the socket or from the run itself. */
export function RunProgress({ run }: { run: Run }) {
  const cache = useQueryClient()
  const progress = useProgress(run._id)
  const stop = useStopRun(run)
  const isOver = progress !== undefined && progress.state !== run.state
  useEffect(() => {
    if (isOver) void cache.invalidateQueries(runQuery(run._id))
  }, [isOver, cache, run._id])

  const isSending = run.state === "SENDING"
  const { total, sent, changed, failed } = run.sending
  const counted = isSending ? sent + changed + failed : 0
  const current = progress?.state === run.state ? progress : undefined
  const whole = isSending ? total : (current?.total ?? 0)
  return (
    <Card>
      <div className={styles.progressRow}>
        <div className={styles.progress} role="status" aria-label="Progress">
          {whole > 0 ? (
            <ProgressBar
              label={isSending ? "Sending advice" : "Computing clients"}
              step={isSending ? "Sending" : "Computing"}
              done={Math.max(counted, current?.done ?? 0)}
              total={whole}
            />
          ) : (
            <Loading text={isSending ? "Sending..." : "Computing..."} />
          )}
          <p className="quiet">This continues if you leave the page. The result appears here.</p>
        </div>
        <Button onClick={() => void stop()}>{isSending ? "Stop" : "Cancel"}</Button>
      </div>
    </Card>
  )
}
