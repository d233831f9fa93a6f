import { useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { useSession } from "@/api/use-session"
import { useProgress } from "@/live/progress"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { Loading, ProgressBar } from "@/ui/states"
import { runQuery } from "./book-queries"
import styles from "./models.module.css"
import { useStop } from "./run-head"
import type { Run } from "./types"

/** How far the server is, as the socket or the run itself tells; it goes on when the page is left. */
export function RunProgress({ run }: { run: Run }) {
  const cache = useQueryClient()
  const isAdmin = useSession("role") === "ADMIN"
  const told = useProgress(run._id)
  const stop = useStop(run)
  const isOver = told !== undefined && told.state !== run.state
  useEffect(() => {
    if (isOver) void cache.invalidateQueries(runQuery(run._id))
  }, [isOver, cache, run._id])

  const isSending = run.state === "SENDING"
  const { total, sent, changed, failed } = run.sending
  const known = isSending ? sent + changed + failed : 0
  const current = told?.state === run.state ? told : undefined
  const whole = isSending ? total : (current?.total ?? 0)
  return (
    <Card>
      <div className={styles.progressRow}>
        <div className={styles.progress} role="status" aria-label="Progress">
          {whole > 0 ? (
            <ProgressBar
              label={isSending ? "Sending advice" : "Computing clients"}
              step={isSending ? "Sending" : "Computing"}
              done={Math.max(known, current?.done ?? 0)}
              total={whole}
            />
          ) : (
            <Loading text={isSending ? "Sending..." : "Computing..."} />
          )}
          <p className={styles.quiet}>
            It goes on when you leave this page, and reports here at the end.
          </p>
        </div>
        {isAdmin && <Button onClick={() => void stop()}>{isSending ? "Stop" : "Cancel"}</Button>}
      </div>
    </Card>
  )
}
