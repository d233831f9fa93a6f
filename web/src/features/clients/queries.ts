import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf, messageFrom } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"
import { addDays, today } from "@/lib/dates"

export type ClientRow = components["schemas"]["ClientRow"]
type NewClient = components["schemas"]["NewClient"]
export type ClientProfile = components["schemas"]["ClientProfile"]

/** Figures move with the prices: how often they are fetched again while the screen is open, in milliseconds. */
export const REFRESH_AFTER = 5_000

/** Rows on a page as the screen opens. */
export const CLIENTS_PAGE = 50

export interface ClientsView {
  page: number
  limit: number
  query: string
  sort: string
}

export const clientsQuery = ({ page, limit, query, sort }: ClientsView) =>
  queryOptions({
    queryKey: ["clients", "list", { page, limit, query, sort }],
    queryFn: () =>
      answerOf(api.GET("/admin/clients", { params: { query: { page, limit, query, sort } } })),
    // Each page is asked for when it is opened: rows may have come and gone since it was last looked at.
    staleTime: 0,
    refetchInterval: REFRESH_AFTER,
  })

/** The whole list with its search and order, as a file. */
export const clientsFile = (
  { query, sort }: Pick<ClientsView, "query" | "sort">,
  format: SheetFormat,
) =>
  fileOf(
    api.GET("/admin/clients/export", {
      params: { query: { query, sort, format } },
      parseAs: "blob",
    }),
  )

/** A client's portfolio report, as a PDF. */
export const reportOf = (clientId: string) =>
  fileOf(
    api.GET("/admin/clients/client/{client_id}/report.pdf", {
      params: { path: { client_id: clientId } },
      parseAs: "blob",
    }),
  )

export const clientProfileQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "profile"],
    queryFn: () =>
      dataOf(
        api.GET("/admin/clients/client/{client_id}/profile", {
          params: { path: { client_id: clientId } },
        }),
      ),
  })

const PEEKED_DAYS = 30

/** What the client was worth at each close of the last thirty days, oldest first. */
export const recentDaysQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "recent-days"],
    queryFn: () =>
      dataOf(
        api.GET("/admin/clients/client/{client_id}/performance", {
          params: {
            path: { client_id: clientId },
            query: { from: addDays(today(), -PEEKED_DAYS) },
          },
        }),
      ),
    staleTime: 5 * 60_000,
  })

export type Remark = components["schemas"]["RemarkRow"]

/** Newest first. */
export const remarksQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "remarks"],
    queryFn: () =>
      dataOf(
        api.GET("/admin/remarks/client/{client_id}", { params: { path: { client_id: clientId } } }),
      ),
  })

/** The list as the server has it by now: after a remark was saved, and after it was refused as stale. */
function useRemarkChange<Change>(clientId: string, act: (change: Change) => Promise<Remark>) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSettled: () => cache.invalidateQueries(remarksQuery(clientId)),
  })
}

export const useAddRemark = (clientId: string) =>
  useRemarkChange(clientId, ({ remark, key }: { remark: string; key: string }) =>
    dataOf(
      api.POST("/admin/remarks", {
        body: { user: clientId, remark },
        headers: { "Idempotency-Key": key },
      }),
    ),
  )

export const useEditRemark = (clientId: string) =>
  useRemarkChange(
    clientId,
    ({ _id, version, remark }: Pick<Remark, "_id" | "version" | "remark">) =>
      dataOf(api.PUT("/admin/remarks", { body: { remarkId: _id, remark, version } })),
  )

/** Adds all of them or none; answers the server's sentence. */
export function useAddClients() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ clients, key }: { clients: NewClient[]; key: string }) =>
      messageFrom(
        api.POST("/clients/add", { body: { clients }, headers: { "Idempotency-Key": key } }),
      ),
    onSuccess: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: ["clients"] }),
        cache.invalidateQueries({ queryKey: ["dashboard"] }),
      ]),
  })
}
