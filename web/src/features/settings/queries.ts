import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { api, answerOf, dataOf, messageFrom } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"
import { firmDetailsQuery, firmQuery } from "@/api/shared-queries"

type Schemas = components["schemas"]
export type FirmDetails = Schemas["FirmDetails"]
export type EditedFirm = Schemas["EditedFirm"]
export type Holiday = Schemas["HolidayRow"]
export type ChargeVersion = Schemas["ChargeVersion"]
export type ChargeLine = Schemas["ChargeLine"]
export type EnteredCharges = Schemas["EnteredCharges"]

export const profileQuery = queryOptions({
  queryKey: ["profile"],
  queryFn: () => dataOf(api.GET("/profile")),
})

export const holidaysQuery = (year: number) =>
  queryOptions({
    queryKey: ["settings", "holidays", year],
    queryFn: () => dataOf(api.GET("/settings/holidays", { params: { query: { year } } })),
  })

export const holidaysFile = (year: number, format: SheetFormat) =>
  fileOf(
    api.GET("/settings/holidays/export", { params: { query: { year, format } }, parseAs: "blob" }),
  )

export const chargesFile = (format: SheetFormat) =>
  fileOf(api.GET("/settings/charges/export", { params: { query: { format } }, parseAs: "blob" }))

export const chargesQuery = queryOptions({
  queryKey: ["settings", "charges"],
  queryFn: () => dataOf(api.GET("/settings/charges")),
})

export function useSaveFirm() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: EditedFirm) => answerOf(api.PUT("/settings/firm", { body })),
    onSuccess: async ({ data }) => {
      cache.setQueryData(firmDetailsQuery.queryKey, data)
      await cache.invalidateQueries({ queryKey: firmQuery.queryKey })
    },
  })
}

export function useSendTestMail() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => messageFrom(api.POST("/settings/mail/test")),
    onSuccess: () => cache.invalidateQueries({ queryKey: firmQuery.queryKey }),
  })
}

export function useChangeHolidays() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: Schemas["ChangedHolidays"]) =>
      messageFrom(api.PUT("/settings/holidays", { body })),
    onSuccess: () => cache.invalidateQueries({ queryKey: ["settings", "holidays"] }),
  })
}

export function useKeepCharges() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: EnteredCharges) => messageFrom(api.PUT("/settings/charges", { body })),
    // A refusal as well: somebody may have changed the table of that day.
    onSettled: () => cache.invalidateQueries({ queryKey: chargesQuery.queryKey }),
  })
}
