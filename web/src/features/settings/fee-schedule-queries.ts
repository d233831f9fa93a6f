import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { api, dataOf } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"

export type FeeScheduleVersion = components["schemas"]["FeeScheduleVersion"]
export type NewFeeSchedule = components["schemas"]["NewFeeSchedule"]

/** All versions, newest first, and the one in force. */
export const feeScheduleFile = (format: SheetFormat) =>
  fileOf(
    api.GET("/settings/fee-schedule/export", { params: { query: { format } }, parseAs: "blob" }),
  )

export const feeScheduleQuery = queryOptions({
  queryKey: ["settings", "fee-schedule"],
  queryFn: () => dataOf(api.GET("/settings/fee-schedule")),
})

export function useSetFeeSchedule() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: NewFeeSchedule) => dataOf(api.PUT("/settings/fee-schedule", { body })),
    onSuccess: (schedules) => cache.setQueryData(feeScheduleQuery.queryKey, schedules),
    // A refusal may mean that the list on show is out of date.
    onError: () => cache.invalidateQueries(feeScheduleQuery),
  })
}
