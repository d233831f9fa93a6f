import { toastError } from "@/parts/toast-error"
import { useSyncClient } from "@/parts/use-sync-client"
import { Button } from "@/ui/button"
import { confirm } from "@/ui/overlay/confirm"
import { type ReadinessRow } from "./queries"

/** Confirms that a client has no holdings; an empty list from the broker is not applied without it. */
export function ConfirmEmpty({ row }: { row: ReadinessRow }) {
  const sync = useSyncClient()
  const ask = async () => {
    const isSure = await confirm({
      title: `${row.name} has no holdings?`,
      text: "The holdings are read from the broker again. If the list is still empty, all holdings of this client are removed.",
      act: "Confirm",
      isDanger: true,
    })
    if (!isSure) return
    sync.mutate({ id: row._id, acceptEmpty: true }, { onError: toastError })
  }
  return (
    <Button
      isBusy={sync.isPending}
      disabled={row.session === "NONE" || row.session === "UNCONFIRMED"}
      onClick={(event) => {
        // The row itself opens the client.
        event.stopPropagation()
        void ask()
      }}
    >
      Confirm: no holdings
    </Button>
  )
}
