import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"
import type { components } from "@/api/schema"
import { toast } from "@/ui/overlay/toast"
import { toastFailure } from "./queries"

export type PastPerformance = components["schemas"]["PastPerformanceDetails"]
export type EditedPastPerformance = components["schemas"]["EditedPastPerformance"]

export const pastPerformanceQuery = queryOptions({
  queryKey: ["settings", "past-performance"],
  queryFn: () => dataOf(api.GET("/settings/past-performance")),
})

export function useSavePastPerformance() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: EditedPastPerformance) =>
      answerOf(api.PUT("/settings/past-performance", { body })),
    onError: toastFailure,
    onSuccess: ({ data, message }) => {
      toast.success(message ?? "Saved.")
      cache.setQueryData(pastPerformanceQuery.queryKey, data)
    },
  })
}
