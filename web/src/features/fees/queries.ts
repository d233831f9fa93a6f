import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf, messageFrom } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"

export type FeeRow = components["schemas"]["FeeRow"]
export type ClientFeesRow = components["schemas"]["ClientFeesRow"]
export type PassedLimit = components["schemas"]["LimitPassed"]
export type FlowsChanged = components["schemas"]["FlowsChanged"]
export type NewFee = components["schemas"]["NewFee"]
export type ChangedFee = components["schemas"]["ChangedFee"]
export type FeeStatus = FeeRow["status"]

/** OVERDUE: a due date is over. DUE: fees are due, none of them overdue. */
export type Due = components["schemas"]["Due"]

export const FEE_STATUSES = ["PAID", "DUE"] as const satisfies readonly FeeStatus[]

/** Rows on a page as the screens open. */
export const FEES_PAGE = 5
export const CLIENT_PAGE = 20

/** What the address of the Fees screen holds; both days or none. */
export interface FeesView {
  page: number
  limit: number
  query: string
  sort: string
  from: string
  to: string
  due: Due | ""
}

/** What the address of a client's fees holds. */
export interface ClientFeesView {
  page: number
  limit: number
  from: string
  to: string
  status: FeeStatus | ""
}

const daysOf = ({ from, to }: Pick<FeesView, "from" | "to">) => ({
  from: from || undefined,
  to: to || undefined,
})
const clientFiltersOf = ({ status, ...days }: Pick<ClientFeesView, "from" | "to" | "status">) => ({
  ...daysOf(days),
  status: status || undefined,
})

export const feeStatsQuery = queryOptions({
  queryKey: ["fees", "stats"],
  queryFn: () => dataOf(api.GET("/fees/stats")),
})

/** The filters of the list as its calls take them. */
const filtersOf = ({ query, sort, due, ...days }: FeesView) => ({
  query,
  sort,
  ...daysOf(days),
  due: due || undefined,
})

export const feesQuery = (view: FeesView) =>
  queryOptions({
    queryKey: ["fees", "list", view],
    queryFn: () => {
      const { page, limit } = view
      return answerOf(api.GET("/fees", { params: { query: { page, limit, ...filtersOf(view) } } }))
    },
    // Each page is asked for when it is opened: rows may have come and gone since it was last looked at.
    staleTime: 0,
  })

/** All clients with fees, searched, filtered and in order, as a file. */
export const feesFile = (view: FeesView, format: SheetFormat) =>
  fileOf(
    api.GET("/fees/export", {
      params: { query: { ...filtersOf(view), format } },
      parseAs: "blob",
    }),
  )

const pathOf = (clientId: string) => ({ path: { client_id: clientId } })

/** A client's fees that fit the filters, as a file. */
export const clientFeesFile = (clientId: string, view: ClientFeesView, format: SheetFormat) =>
  fileOf(
    api.GET("/admin/clients/client/{client_id}/fees/export", {
      params: {
        ...pathOf(clientId),
        query: { ...clientFiltersOf(view), format },
      },
      parseAs: "blob",
    }),
  )

export const clientFeesQuery = (clientId: string, { from, to, status }: ClientFeesView) =>
  queryOptions({
    queryKey: ["clients", clientId, "fees", { from, to, status }],
    queryFn: () =>
      dataOf(
        api.GET("/admin/clients/client/{client_id}/fees", {
          params: {
            ...pathOf(clientId),
            query: clientFiltersOf({ from, to, status }),
          },
        }),
      ),
  })

/** What a period of the client starts from, in rupees, by its first day: today while it is empty. */
export const startingValueQuery = (clientId: string, startingDate = "") =>
  queryOptions({
    queryKey: ["clients", clientId, "starting-value", startingDate],
    queryFn: () =>
      dataOf(
        api.GET("/admin/clients/client/{client_id}/starting-value", {
          params: { ...pathOf(clientId), query: { startingDate: startingDate || undefined } },
        }),
      ),
    staleTime: 0,
  })

/** Fees move the client's net profit, the Fees screen and the firm's earnings. */
export const refreshFees = (cache: QueryClient, clientId: string) =>
  Promise.all([
    cache.invalidateQueries({ queryKey: ["clients", clientId] }),
    cache.invalidateQueries({ queryKey: ["fees"] }),
    cache.invalidateQueries({ queryKey: ["invoices", "list"] }),
    cache.invalidateQueries({ queryKey: ["dashboard"] }),
  ])

function useRefreshFees(clientId: string) {
  const cache = useQueryClient()
  return () => refreshFees(cache, clientId)
}

export function useAddFee(clientId: string) {
  return useMutation({
    mutationFn: ({ fee, key }: { fee: NewFee; key: string }) =>
      dataOf(
        api.POST("/admin/clients/client/{client_id}/fees", {
          params: pathOf(clientId),
          body: fee,
          headers: { "Idempotency-Key": key },
        }),
      ),
    onSuccess: useRefreshFees(clientId),
  })
}

/** The list is fetched again after a refusal too: what was shown may be what was out of date. */
export function useChangeFee(clientId: string) {
  return useMutation({
    mutationFn: (change: ChangedFee) =>
      dataOf(
        api.PUT("/admin/clients/client/{client_id}/fees", {
          params: pathOf(clientId),
          body: change,
        }),
      ),
    onSettled: useRefreshFees(clientId),
  })
}

export function useDeleteFee(clientId: string) {
  return useMutation({
    mutationFn: ({ _id, version }: FeeRow) =>
      messageFrom(
        api.POST("/admin/clients/client/{client_id}/fees/delete", {
          params: pathOf(clientId),
          body: { feeId: _id, version },
        }),
      ),
    onSettled: useRefreshFees(clientId),
  })
}
