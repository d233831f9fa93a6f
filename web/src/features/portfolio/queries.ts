import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf, messageFrom } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"

export type Portfolio = components["schemas"]["Portfolio"]
export type CashByHand = components["schemas"]["CashByHand"]
export type Holding = components["schemas"]["HoldingRow"]
export type Holdings = components["schemas"]["Holdings"]
export type Transaction = components["schemas"]["TransactionRow"]
export type FlowType = components["schemas"]["FlowType"]
export type Returns = components["schemas"]["ClientReturns"]
export type FlowRow = components["schemas"]["FlowRow"]
export type SpanReturn = components["schemas"]["SpanReturn"]
export type DayValue = components["schemas"]["DayValue"]

const pathOf = (clientId: string) => ({ params: { path: { client_id: clientId } } })

/** The server's figures are refreshed at this interval; the live prices update those that depend on them. */
const REFRESH_INTERVAL = 15_000

export const portfolioQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "portfolio"],
    queryFn: () => dataOf(api.GET("/admin/clients/client/{client_id}/portfolio", pathOf(clientId))),
    refetchInterval: REFRESH_INTERVAL,
  })

export const holdingsQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "holdings"],
    queryFn: () =>
      answerOf(api.GET("/admin/clients/client/{client_id}/holdings", pathOf(clientId))),
    refetchInterval: REFRESH_INTERVAL,
  })

export const accountingQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "accounting"],
    queryFn: () =>
      dataOf(api.GET("/admin/clients/client/{client_id}/accounting", pathOf(clientId))),
  })

export const returnsQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "xirr"],
    queryFn: () => answerOf(api.GET("/admin/clients/client/{client_id}/xirr", pathOf(clientId))),
    refetchInterval: REFRESH_INTERVAL,
  })

export const performanceQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "performance"],
    queryFn: () =>
      dataOf(api.GET("/admin/clients/client/{client_id}/performance", pathOf(clientId))),
    refetchInterval: 4 * REFRESH_INTERVAL,
  })

/** The export of a client's table. */
const exportOf =
  (
    path: `/admin/clients/client/{client_id}/${"holdings" | "accounting" | "xirr" | "performance"}/export`,
  ) =>
  (clientId: string, format: SheetFormat) =>
    fileOf(
      api.GET(path, {
        params: { path: { client_id: clientId }, query: { format } },
        parseAs: "blob",
      }),
    )

export const holdingsFile = exportOf("/admin/clients/client/{client_id}/holdings/export")
export const accountingFile = exportOf("/admin/clients/client/{client_id}/accounting/export")
export const returnsFile = exportOf("/admin/clients/client/{client_id}/xirr/export")
export const performanceFile = exportOf("/admin/clients/client/{client_id}/performance/export")

/** A change of the start or of a flow can change every figure of a client, and the list of clients. */
function useRefreshClient() {
  const cache = useQueryClient()
  return () => cache.invalidateQueries({ queryKey: ["clients"] })
}

export function useSetStartingDate(clientId: string) {
  return useMutation({
    mutationFn: (body: { startingDate: string; version: number | null }) =>
      dataOf(
        api.POST("/admin/clients/client/{client_id}/starting-date", {
          ...pathOf(clientId),
          body,
        }),
      ),
    onSuccess: useRefreshClient(),
  })
}

export function useSetStartingCapital(clientId: string) {
  return useMutation({
    mutationFn: (body: { amount: number; version: number | null }) =>
      dataOf(
        api.POST("/admin/clients/client/{client_id}/starting-capital", {
          ...pathOf(clientId),
          body,
        }),
      ),
    onSuccess: useRefreshClient(),
  })
}

/** The cash of a client whose broker does not report it. */
export function useEnterCash(clientId: string) {
  return useMutation({
    mutationFn: (body: { amount: number; asOf: string; version: number }) =>
      dataOf(api.PUT("/admin/clients/client/{client_id}/cash", { ...pathOf(clientId), body })),
    // After a refusal too: the shown state may be out of date.
    onSettled: useRefreshClient(),
  })
}

export interface TransactionEdit {
  /** Null for a new one. */
  id: string | null
  version: number | null
  date: string
  amount: number
  type: FlowType
}

/** Adds or edits a flow; `key` is the idempotency key of a new one. */
export function useSaveTransaction(clientId: string) {
  return useMutation({
    mutationFn: ({ edit, key }: { edit: TransactionEdit; key: string }) => {
      const { id, version, ...body } = edit
      const path = "/admin/clients/client/{client_id}/accounting/transaction"
      return id === null
        ? dataOf(api.POST(path, { ...pathOf(clientId), body, headers: { "Idempotency-Key": key } }))
        : dataOf(
            api.PUT(path, { ...pathOf(clientId), body: { ...body, transactionId: id, version } }),
          )
    },
    onSuccess: useRefreshClient(),
  })
}

export function useDeleteTransaction(clientId: string) {
  return useMutation({
    mutationFn: ({ _id, version }: Transaction) =>
      messageFrom(
        api.POST("/admin/clients/client/{client_id}/accounting/transaction/delete", {
          ...pathOf(clientId),
          body: { transactionId: _id, version },
        }),
      ),
    onSuccess: useRefreshClient(),
  })
}

export function useRestoreTransaction() {
  return useMutation({
    mutationFn: (id: string) =>
      dataOf(
        api.POST("/admin/transactions/{transaction_id}/restore", {
          params: { path: { transaction_id: id } },
        }),
      ),
    onSuccess: useRefreshClient(),
  })
}
