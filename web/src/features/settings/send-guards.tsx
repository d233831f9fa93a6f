import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"
import type { components } from "@/api/schema"
import { Card } from "@/ui/card"
import { SelectField } from "@/ui/form/fields"
import { toast } from "@/ui/overlay/toast"
import { ErrorNote, Loading } from "@/ui/states"
import { toastFailure } from "./queries"
import styles from "./settings.module.css"

type Guard = components["schemas"]["GuardRow"]
type Level = Guard["level"]

const levels: Record<Level, string> = {
  OFF: "Do not check",
  WARN: "Warn",
  BLOCK: "Block the send",
}

const guardsQuery = {
  queryKey: ["settings", "guards"],
  queryFn: () => dataOf(api.GET("/admin/settings/guards")),
}

function useSetGuard() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (guard: { id: string; level: Level }) =>
      answerOf(api.PUT("/admin/settings/guards", { body: { guards: [guard] } })),
    onError: toastFailure,
    onSuccess: ({ data, message }) => {
      toast.success(message ?? "Saved.")
      cache.setQueryData(guardsQuery.queryKey, data)
    },
  })
}

/** Whether a check before a send blocks it or only warns; a change is saved at once. */
export default function SendGuards() {
  const guards = useQuery(guardsQuery)
  const set = useSetGuard()
  if (guards.isError && !guards.data)
    return <ErrorNote message="Failed to fetch data" onRetry={guards.refetch} />
  if (!guards.data) return <Loading />
  return (
    <Card title="Checks before a send" note="A warning must be read; a block refuses the send.">
      <div className={styles.fields}>
        {guards.data.map((guard) => (
          <SelectField
            key={guard.id}
            label={guard.title}
            description={guard.hint}
            options={Object.fromEntries(guard.levels.map((level) => [level, levels[level]]))}
            value={guard.level}
            disabled={set.isPending}
            onChange={({ target }) => set.mutate({ id: guard.id, level: target.value as Level })}
          />
        ))}
      </div>
    </Card>
  )
}
