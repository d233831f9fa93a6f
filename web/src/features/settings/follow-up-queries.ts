import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"
import type { components } from "@/api/schema"
import { toast } from "@/ui/overlay/toast"
import { toastFailure } from "./queries"

export type FollowUpDetails = components["schemas"]["FollowUpDetails"]
export type EditedFollowUp = components["schemas"]["EditedFollowUp"]

export const followUpSettingsQuery = queryOptions({
  queryKey: ["settings", "follow-up"],
  queryFn: () => dataOf(api.GET("/admin/settings/follow-up")),
})

export function useSaveFollowUp() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: EditedFollowUp) => answerOf(api.PUT("/admin/settings/follow-up", { body })),
    onError: toastFailure,
    onSuccess: async ({ data, message }) => {
      toast.success(message ?? "Saved.")
      cache.setQueryData(followUpSettingsQuery.queryKey, data)
      // A client's switch says whether reminders are on for the firm.
      await cache.invalidateQueries({ queryKey: ["follow-up"] })
    },
  })
}
