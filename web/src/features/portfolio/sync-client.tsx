import { queryOptions, useQuery } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { RefreshCw } from "lucide-react"
import { api, dataOf } from "@/api/client"
import { age, dateTime } from "@/lib/dates"
import { count } from "@/lib/format"
import { toastError } from "@/parts/toast-error"
import { useSyncClient } from "@/parts/use-sync-client"
import { Button } from "@/ui/button"
import { toast } from "@/ui/overlay/toast"
import { useSecond } from "@/ui/use-second"
import styles from "./portfolio.module.css"

const brokers = ["ZERODHA", "ANGEL_ONE"]

const statementQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "broker-statement"],
    queryFn: () =>
      dataOf(
        api.GET("/admin/clients/client/{client_id}/broker-statement", {
          params: { path: { client_id: clientId } },
        }),
      ),
  })

/** Reads the client from the broker now. */
export function SyncButton({ clientId }: { clientId: string }) {
  const sync = useSyncClient()
  const start = async () => {
    // Awaited: the outcome is shown even after the screen was left.
    try {
      toast.success(await sync.mutateAsync({ id: clientId }))
    } catch (error) {
      toastError(error)
    }
  }
  return (
    <Button icon={<RefreshCw size={15} />} isBusy={sync.isPending} onClick={() => void start()}>
      Sync now
    </Button>
  )
}

interface SyncNoteProps {
  clientId: string
  /** Where the holdings came from last; a broker's name after a sync. */
  source: string | undefined
}

/** The age of the broker statement, and a link if something in it needs attention. */
export function SyncNote({ clientId, source = "" }: SyncNoteProps) {
  const isSynced = brokers.includes(source)
  const { data: statement } = useQuery({ ...statementQuery(clientId), enabled: isSynced })
  const now = useSecond()
  if (!isSynced || !statement?.syncedAt) return null
  const unknown = statement.lines.filter((line) => !line.isMapped).length
  const problems = [
    statement.changes.length > 0 && plural(statement.changes.length, "unexplained change"),
    unknown > 0 && plural(unknown, "unknown stock"),
  ].filter((words) => words !== false)
  return (
    <>
      <span title={dateTime(statement.syncedAt)}>Synced {age(statement.syncedAt, now)}</span>
      {problems.length > 0 && (
        <>
          {" · "}
          <Link to="/home/readiness" className={styles.flag}>
            {problems.join(", ")}
          </Link>
        </>
      )}
    </>
  )
}

const plural = (number: number, words: string) =>
  `${count(number)} ${words}${number > 1 ? "s" : ""}`
