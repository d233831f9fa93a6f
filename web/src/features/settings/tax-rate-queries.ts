import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf, messageFrom } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"

export type TaxRateTable = components["schemas"]["TaxRateTable"]
export type TaxRateLine = components["schemas"]["TaxRateLine"]
export type TaxRateVersion = components["schemas"]["TaxRateVersion"]
type EnteredRates = components["schemas"]["EnteredRates"]

export const taxRatesQuery = queryOptions({
  queryKey: ["settings", "tax-rates"],
  queryFn: () => dataOf(api.GET("/settings/tax-rates")),
})

/** Every rate with its day and its source, as a file. */
export const taxRatesFile = (format: SheetFormat) =>
  fileOf(api.GET("/settings/tax-rates/export", { params: { query: { format } }, parseAs: "blob" }))

/** The tax of every client may change with a rate. */
function useRefresh() {
  const cache = useQueryClient()
  return () =>
    Promise.all([
      cache.invalidateQueries({ queryKey: taxRatesQuery.queryKey }),
      cache.invalidateQueries({ queryKey: ["clients"] }),
    ])
}

export function useEnterTaxRates() {
  return useMutation({
    mutationFn: (body: EnteredRates) => answerOf(api.POST("/settings/tax-rates", { body })),
    onSettled: useRefresh(),
  })
}

export function useRemoveTaxRates() {
  return useMutation({
    mutationFn: (id: string) =>
      messageFrom(
        api.DELETE("/settings/tax-rates/{version_id}", { params: { path: { version_id: id } } }),
      ),
    onSettled: useRefresh(),
  })
}
