import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"
import { refreshFees } from "./queries"

export type InvoiceRow = components["schemas"]["InvoiceRow"]
export type InvoiceOptions = components["schemas"]["InvoiceOptions"]
export type BillingDetails = components["schemas"]["BillingDetails"]
export type RefundShown = components["schemas"]["RefundShown"]
export type PaymentMode = components["schemas"]["PaymentMode"]
type FeeToInvoice = components["schemas"]["FeeToInvoice"]
type NewFeeRefund = components["schemas"]["NewFeeRefund"]
type EditedBilling = components["schemas"]["EditedBilling"]

/** Rows on a page as the list opens. */
export const INVOICES_PAGE = 20

export const INVOICE_KINDS = {
  "": "All",
  INVOICE: "Invoices",
  CREDIT_NOTE: "Credit notes",
} as const

/** How a client may pay; never in cash. */
export const MODES: Record<PaymentMode, string> = {
  UPI: "UPI",
  BANK_TRANSFER: "Bank transfer",
  CHEQUE: "Cheque",
  DEMAND_DRAFT: "Demand draft",
  CARD: "Card",
  CEFCOM: "CeFCoM",
}

/** What the address of the list of invoices holds; both days or none. */
export interface InvoicesView {
  page: number
  limit: number
  query: string
  sort: string
  from: string
  to: string
  kind: InvoiceRow["kind"] | ""
}

const filtersOf = ({ query, sort, from, to, kind }: InvoicesView) => ({
  query,
  sort,
  from: from || undefined,
  to: to || undefined,
  kind: kind || undefined,
})

export const invoicesQuery = (view: InvoicesView) =>
  queryOptions({
    queryKey: ["invoices", "list", view],
    queryFn: () => {
      const { page, limit } = view
      return answerOf(
        api.GET("/admin/invoices", { params: { query: { page, limit, ...filtersOf(view) } } }),
      )
    },
    staleTime: 0,
  })

/** All invoices that fit the search and the filters, as a file. */
export const invoicesFile = (view: InvoicesView, format: SheetFormat) =>
  fileOf(
    api.GET("/admin/invoices/export", {
      params: { query: { ...filtersOf(view), format } },
      parseAs: "blob",
    }),
  )

/** The PDF of an invoice or credit note. */
export const invoiceFile = (invoiceId: string) =>
  fileOf(
    api.GET("/admin/invoices/{invoice_id}/pdf", {
      params: { path: { invoice_id: invoiceId } },
      parseAs: "blob",
    }),
  )

export const invoiceOptionsQuery = queryOptions({
  queryKey: ["invoices", "options"],
  queryFn: () => dataOf(api.GET("/admin/invoices/options")),
})

export const statesQuery = queryOptions({
  queryKey: ["invoices", "states"],
  queryFn: () => dataOf(api.GET("/admin/invoices/states")),
  staleTime: Infinity,
})

const pathOf = (clientId: string) => ({ path: { client_id: clientId } })

export const billingQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "billing"],
    queryFn: () =>
      dataOf(api.GET("/admin/clients/client/{client_id}/billing", { params: pathOf(clientId) })),
  })

export function useSaveBilling(clientId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: EditedBilling) =>
      answerOf(
        api.PUT("/admin/clients/client/{client_id}/billing", { params: pathOf(clientId), body }),
      ),
    onSuccess: ({ data }) => cache.setQueryData(billingQuery(clientId).queryKey, data),
  })
}

export function useIssueInvoice(clientId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (body: FeeToInvoice) =>
      dataOf(
        api.POST("/admin/clients/client/{client_id}/fees/invoice", {
          params: pathOf(clientId),
          body,
        }),
      ),
    onSettled: () => refreshFees(cache, clientId),
  })
}

/** What goes back of a fee if its service ends on a day. */
export const refundQuery = (clientId: string, feeId: string, endedOn: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "refund", feeId, endedOn],
    queryFn: () =>
      dataOf(
        api.GET("/admin/clients/client/{client_id}/fees/refund", {
          params: { ...pathOf(clientId), query: { feeId, endedOn } },
        }),
      ),
    enabled: endedOn !== "",
    retry: false,
    staleTime: 0,
  })

export function useRefundFee(clientId: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ body, key }: { body: NewFeeRefund; key: string }) =>
      dataOf(
        api.POST("/admin/clients/client/{client_id}/fees/refund", {
          params: pathOf(clientId),
          body,
          headers: { "Idempotency-Key": key },
        }),
      ),
    onSettled: () => refreshFees(cache, clientId),
  })
}
