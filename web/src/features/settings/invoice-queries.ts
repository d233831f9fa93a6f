import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"
import { toast } from "@/ui/overlay/toast"
import { toastFailure } from "./queries"

export type InvoiceSettings = components["schemas"]["InvoiceSettingsDetails"]
export type InvoiceRule = components["schemas"]["InvoiceRuleRow"]
type EditedInvoiceSettings = components["schemas"]["EditedInvoiceSettings"]
export type NewInvoiceRule = components["schemas"]["NewInvoiceRule"]

export const invoiceSettingsQuery = queryOptions({
  queryKey: ["settings", "invoices"],
  queryFn: () => dataOf(api.GET("/settings/invoices")),
})

export const invoiceRulesQuery = queryOptions({
  queryKey: ["settings", "invoice-rules"],
  queryFn: () => dataOf(api.GET("/settings/invoice-rules")),
})

export const invoiceRulesFile = (format: SheetFormat) =>
  fileOf(
    api.GET("/settings/invoice-rules/export", { params: { query: { format } }, parseAs: "blob" }),
  )

export function useSaveInvoiceSettings() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: EditedInvoiceSettings) => answerOf(api.PUT("/settings/invoices", { body })),
    onError: toastFailure,
    onSuccess: async ({ data, message }) => {
      toast.success(message ?? "Saved.")
      cache.setQueryData(invoiceSettingsQuery.queryKey, data)
      // Whether the firm issues invoices decides what rows of fees show.
      await cache.invalidateQueries({ queryKey: ["invoices"] })
    },
  })
}

export function useSetInvoiceRule() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: NewInvoiceRule) => dataOf(api.PUT("/settings/invoice-rules", { body })),
    onError: toastFailure,
    onSuccess: (rules) => cache.setQueryData(invoiceRulesQuery.queryKey, rules),
  })
}
