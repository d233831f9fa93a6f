import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf, messageFrom } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"

export type ReadinessRow = components["schemas"]["ReadinessRow"]
export type Problem = components["schemas"]["Problem"]
export type SyncRun = components["schemas"]["RunShown"]
export type BrokerStatement = components["schemas"]["BrokerStatementShown"]
export type QuantityChange = components["schemas"]["QuantityChangeRow"]

/** Rows on a page as the screen opens. */
export const READINESS_PAGE = 50

/** What the address holds: a problem, `READY` for those without any, or nothing. */
export interface ReadinessView {
  page: number
  limit: number
  query: string
  show: Problem | "READY" | ""
}

const OFTEN = 30_000
const WHILE_RUNNING = 2_000

/** The filters of the call. */
const filtersOf = ({ query, show }: Pick<ReadinessView, "query" | "show">) => ({
  query,
  problem: show === "" || show === "READY" ? undefined : show,
  ready: show === "READY",
})

export const readinessQuery = ({ page, limit, query, show }: ReadinessView) =>
  queryOptions({
    queryKey: ["readiness", "list", { page, limit, query, show }],
    queryFn: () =>
      answerOf(
        api.GET("/admin/readiness", {
          params: { query: { page, limit, ...filtersOf({ query, show }) } },
        }),
      ),
    refetchInterval: OFTEN,
    staleTime: 0,
  })

/** The export of the filtered clients. */
export const readinessFile = (view: ReadinessView, format: SheetFormat) =>
  fileOf(
    api.GET("/admin/readiness/export", {
      params: { query: { ...filtersOf(view), format } },
      parseAs: "blob",
    }),
  )

/** The last sync; polled while it runs. */
export const lastRunQuery = queryOptions({
  queryKey: ["readiness", "run"],
  queryFn: () => dataOf(api.GET("/admin/sync", { params: { query: { limit: 1 } } })),
  refetchInterval: ({ state }) => (state.data?.state === "RUNNING" ? WHILE_RUNNING : OFTEN),
  staleTime: 0,
})

export const statementQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["readiness", "statement", clientId],
    queryFn: () =>
      dataOf(
        api.GET("/admin/clients/client/{client_id}/broker-statement", {
          params: { path: { client_id: clientId } },
        }),
      ),
    staleTime: 0,
  })

/** Refreshes this list and the clients' figures, which a sync changes too. */
export function useRefresh() {
  const cache = useQueryClient()
  return () =>
    Promise.all([
      cache.invalidateQueries({ queryKey: ["readiness"] }),
      cache.invalidateQueries({ queryKey: ["clients"] }),
    ])
}

function useReadinessChange<Change, Answer>(mutationFn: (change: Change) => Promise<Answer>) {
  return useMutation({ mutationFn, onSettled: useRefresh() })
}

export const useSyncAll = () => useReadinessChange(() => dataOf(api.POST("/admin/sync")))

/** Sends connect links to these clients, or to all that need one. */
export const useSendLinks = () =>
  useReadinessChange((clientIds: string[] | null) =>
    messageFrom(api.POST("/admin/readiness/send-links", { body: { clientIds } })),
  )

export const useMarkSeen = () =>
  useReadinessChange((changeId: string) =>
    messageFrom(
      api.POST("/admin/sync/changes/{change_id}/seen", {
        params: { path: { change_id: changeId } },
      }),
    ),
  )

export const useAcceptMoney = () =>
  useReadinessChange((clientId: string) =>
    messageFrom(
      api.POST("/admin/clients/client/{client_id}/accept-money", {
        params: { path: { client_id: clientId } },
      }),
    ),
  )
