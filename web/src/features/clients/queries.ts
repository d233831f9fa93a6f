import { keepPreviousData, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
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
  /** The id of a team, or the word for the clients of none; only for an ADMIN. */
  team: string
}

/** Clients of all teams: no filter. */
const teamOf = ({ team }: { team: string }) => ({ team: team === "" ? undefined : team })

export const clientsQuery = ({ page, limit, query, sort, team }: ClientsView) =>
  queryOptions({
    queryKey: ["clients", "list", { page, limit, query, sort, team }],
    queryFn: () =>
      answerOf(
        api.GET("/admin/clients", {
          params: { query: { page, limit, query, sort, ...teamOf({ team }) } },
        }),
      ),
    // Each page is asked for when it is opened: rows may have come and gone since it was last looked at.
    staleTime: 0,
    refetchInterval: REFRESH_AFTER,
  })

export type Followed = components["schemas"]["FollowedRow"]

/** Models and drift move less than prices, in milliseconds. */
const FOLLOWED_REFRESH = 30_000

/** Model, drift and last advice of these clients, by id. */
export const followedQuery = (clients: string[]) =>
  queryOptions({
    queryKey: ["clients", "followed", clients],
    queryFn: () => dataOf(api.GET("/admin/models/followed", { params: { query: { clients } } })),
    select: (rows: Followed[]) => new Map(rows.map((row) => [row._id, row])),
    enabled: clients.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: FOLLOWED_REFRESH,
  })

/** The sums of all clients that match. */
export const totalsQuery = (query: string, team: string) =>
  queryOptions({
    queryKey: ["clients", "totals", query, team],
    queryFn: () =>
      dataOf(
        api.GET("/admin/clients/totals", { params: { query: { query, ...teamOf({ team }) } } }),
      ),
    staleTime: 0,
    refetchInterval: REFRESH_AFTER,
  })

/** Lets these clients follow a model with all holdings and cash. */
export function useFollowModel() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ modelId, clients }: { modelId: string; clients: string[] }) =>
      dataOf(
        api.PUT("/admin/models/{model_id}/subscribers", {
          params: { path: { model_id: modelId } },
          body: {
            add: clients.map((clientId) => ({ clientId, investmentValue: null })),
            remove: [],
          },
        }),
      ),
    onSettled: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: ["clients", "followed"] }),
        cache.invalidateQueries({ queryKey: ["models"] }),
      ]),
  })
}

/** Mails a connect link to each of these clients; answers with the server's sentence. */
export function useSendLinks() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (clientIds: string[]) =>
      messageFrom(api.POST("/admin/readiness/send-links", { body: { clientIds } })),
    onSettled: () => cache.invalidateQueries({ queryKey: ["readiness"] }),
  })
}

/** The list with its search and order, or the chosen ones of it, as a file. */
export const clientsFile = (
  { query, sort, team }: Pick<ClientsView, "query" | "sort" | "team">,
  format: SheetFormat,
  clients: string[] = [],
) =>
  fileOf(
    api.GET("/admin/clients/export", {
      params: { query: { query, sort, format, clients, ...teamOf({ team }) } },
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
