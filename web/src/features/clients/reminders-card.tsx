import { Switch } from "@mantine/core"
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"
import { toastError } from "@/parts/toast-error"
import { Card } from "@/ui/card"
import { ErrorNote, Skeleton } from "@/ui/states"
import { toast } from "@/ui/overlay/toast"
import styles from "./reminders-card.module.css"

const path = "/admin/clients/client/{client_id}/reminders"
const pathOf = (clientId: string) => ({ params: { path: { client_id: clientId } } })

export const remindersQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["follow-up", "reminders", clientId],
    queryFn: () => dataOf(api.GET(path, pathOf(clientId))),
  })

/** The switch for a client's reminders of advice that is still open. */
export function RemindersCard({ clientId }: { clientId: string }) {
  const cache = useQueryClient()
  // The profile has asked for this: where that failed, it is asked again on Retry.
  const query = useQuery({ ...remindersQuery(clientId), retryOnMount: false })
  const save = useMutation({
    mutationFn: (enabled: boolean) =>
      answerOf(api.PUT(path, { ...pathOf(clientId), body: { enabled } })),
    onSuccess: ({ data, message }) => {
      cache.setQueryData(remindersQuery(clientId).queryKey, data)
      toast.success(message ?? "Saved.")
    },
    onError: toastError,
  })
  const choice = query.data
  return (
    <Card title="Reminders">
      {query.isError && !choice && (
        <ErrorNote message="Failed to fetch data" onRetry={query.refetch} />
      )}
      {query.isPending && (
        <div className={styles.choice}>
          <Skeleton width={240} height={20} />
          <p className={styles.hint}>
            <Skeleton width={320} height={12} />
          </p>
        </div>
      )}
      {choice && (
        <div className={styles.choice}>
          <Switch
            label="Remind this client of open advice"
            checked={save.isPending ? save.variables : choice.enabled}
            disabled={save.isPending}
            onChange={(event) => save.mutate(event.currentTarget.checked)}
          />
          <p className={styles.hint}>
            {choice.isFirmOn
              ? "One mail after one and after three business days, while something is open and not declined."
              : "Reminders are switched off for the firm: Settings, Follow-up."}
          </p>
        </div>
      )}
    </Card>
  )
}
