import { Checkbox } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { offerApproval } from "@/api/approval"
import { answerOf, api, dataOf } from "@/api/client"
import type { components } from "@/api/schema"
import { Card } from "@/ui/card"
import { GoTo } from "@/ui/go-to"
import { toast } from "@/ui/overlay/toast"
import { ErrorNote, Loading } from "@/ui/states"
import { toastFailure } from "./queries"
import styles from "./settings.module.css"

type Shown = components["schemas"]["SecondApprovalShown"]
type Action = Shown["choices"][number]["action"]

const secondApprovalQuery = {
  queryKey: ["settings", "second-approval"],
  queryFn: () => dataOf(api.GET("/admin/settings/second-approval")),
}

function useChooseActions() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (actions: Action[]) =>
      answerOf(api.PUT("/admin/settings/second-approval", { body: { actions } })),
    onError: (error, actions) => {
      if (!offerApproval(error, { action: "SETTING", actions })) toastFailure(error)
    },
    onSuccess: ({ data, message }) => {
      toast.success(message ?? "Saved.")
      cache.setQueryData(secondApprovalQuery.queryKey, data)
    },
  })
}

/** Which actions a second administrator must approve; a change is saved at once. */
export default function SecondApproval() {
  const query = useQuery(secondApprovalQuery)
  const choose = useChooseActions()
  if (query.isError && !query.data)
    return <ErrorNote message="Failed to fetch data" onRetry={query.refetch} />
  if (!query.data) return <Loading />
  const { choices, administrators } = query.data
  const on = choices.filter(({ isOn }) => isOn).map(({ action }) => action)
  const isAlone = administrators < 2
  return (
    <Card
      title="Second approval"
      note="What one person asks for, another administrator approves. To ask for less than now needs an approval too."
    >
      <div className={styles.fields}>
        {choices.map(({ action, title, hint, isOn }) => (
          <Checkbox
            key={action}
            label={title}
            description={hint}
            checked={isOn}
            disabled={choose.isPending || (isAlone && !isOn)}
            onChange={() =>
              choose.mutate(isOn ? on.filter((each) => each !== action) : [...on, action])
            }
          />
        ))}
      </div>
      {isAlone ? (
        <p>Two active administrators are needed. Add one under Roles &amp; Permission.</p>
      ) : (
        <GoTo to="/home/approvals">See requests</GoTo>
      )}
    </Card>
  )
}
