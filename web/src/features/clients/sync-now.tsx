import { RefreshCw } from "lucide-react"
import { count } from "@/lib/format"
import { useProgress } from "@/live/progress"
import { toastError } from "@/parts/toast-error"
import { useSyncClient } from "@/parts/use-sync-client"
import { IconButton } from "@/ui/button"
import { toast } from "@/ui/overlay/toast"
import styles from "./sync-now.module.css"

/** Reads one client from the broker: how far it is comes from the server, and a refusal says why. */
export function SyncNow({ clientId }: { clientId: string }) {
  const sync = useSyncClient()
  const progress = useProgress(`sync:${clientId}`)
  const start = async () => {
    if (sync.isPending) return
    // Awaited: when the session ends, this button unmounts before a callback would run.
    try {
      toast.success(await sync.mutateAsync({ id: clientId }))
    } catch (error) {
      toastError(error)
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
        icon={<RefreshCw size={14} />}
        className={styles.button}
        onClick={() => void start()}
      />
    </>
  )
}
