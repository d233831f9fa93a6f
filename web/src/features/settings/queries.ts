import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { api, answerOf, asForm, dataOf, messageFrom, messageOf } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"
import { firmDetailsQuery, firmQuery } from "@/api/shared-queries"
import { toast } from "@/ui/overlay/toast"

export const toastFailure = (error: unknown) =>
  toast.error(messageOf(error, "Something went wrong"))

type Schemas = components["schemas"]
export type FirmDetails = Schemas["FirmDetails"]
export type EditedFirm = Schemas["EditedFirm"]
export type Picture = Schemas["ImageKind"]
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

/** Saves parts of the firm's details; `saved` replaces the server's message. */
export function useSaveFirm(saved?: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: EditedFirm) => answerOf(api.PUT("/settings/firm", { body })),
    onError: toastFailure,
    onSuccess: async ({ data, message }) => {
      toast.success(saved ?? message ?? "Firm details saved")
      cache.setQueryData(firmDetailsQuery.queryKey, data)
      await cache.invalidateQueries({ queryKey: firmQuery.queryKey })
    },
  })
}

/** Letters from now on carry this picture. */
export function useSetPicture(kind: Picture) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (file: File) =>
      answerOf(
        api.PUT("/settings/firm/{kind}", {
          params: { path: { kind } },
          // The schema types a file as text; the form below is what is sent.
          body: { file: file.name },
          bodySerializer: () => asForm({ file }),
        }),
      ),
    onSuccess: ({ data }) => cache.setQueryData(firmDetailsQuery.queryKey, data),
  })
}

export function useRemovePicture(kind: Picture) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => answerOf(api.DELETE("/settings/firm/{kind}", { params: { path: { kind } } })),
    onSuccess: ({ data }) => cache.setQueryData(firmDetailsQuery.queryKey, data),
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
