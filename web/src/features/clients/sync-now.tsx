import { RefreshCw } from "lucide-react"
import { messageOf } from "@/api/client"
import { count } from "@/lib/format"
import { useProgress } from "@/live/progress"
import { IconButton } from "@/ui/button"
import { toast } from "@/ui/overlay/toast"
import { useSyncNow } from "./connection-queries"
import styles from "./sync-now.module.css"

/** Reads one client from the broker: how far it is comes from the server, and a refusal says why. */
export function SyncNow({ clientId }: { clientId: string }) {
  const sync = useSyncNow(clientId)
  const progress = useProgress(`sync:${clientId}`)
  const start = async () => {
    if (sync.isPending) return
    // Awaited: when the session ends, this button unmounts before a callback would run.
    try {
      toast.success(await sync.mutateAsync())
    } catch (error) {
      toast.error(messageOf(error, "Something went wrong"))
    }
  }
  return (
    <>
      {sync.isPending && progress?.state === "RUNNING" && (
        <span
          className={styles.far}
          role="progressbar"
          aria-label="Syncing"
          aria-valuemin={0}
          aria-valuemax={progress.total}
          aria-valuenow={progress.done}
          aria-valuetext={`${progress.step}, ${count(progress.done)} of ${count(progress.total)}`}
        >
          <span className={styles.step}>{progress.step} </span>
          {count(progress.done)} of {count(progress.total)}
          <span
            className={styles.bar}
            style={{ width: `${(progress.done / Math.max(1, progress.total)) * 100}%` }}
          />
        </span>
      )}
      <IconButton
        label="Sync now"
        aria-busy={sync.isPending || undefined}
        aria-disabled={sync.isPending || undefined}
        icon={<RefreshCw size={14} aria-hidden="true" />}
        className={styles.button}
        onClick={() => void start()}
      />
    </>
  )
}
