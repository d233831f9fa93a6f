import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf, messageFrom } from "@/api/client"
import type { components } from "@/api/schema"

export type ClientRow = components["schemas"]["ClientRow"]
export type NewClient = components["schemas"]["NewClient"]
export type ClientProfile = components["schemas"]["ClientProfile"]

/** Figures move with the prices; they are asked for again this often while the screen is looked at. */
export const CALM = 5_000

interface ListView {
  page: number
  limit: number
  query: string
  sort: string
}

export const clientsQuery = ({ page, limit, query, sort }: ListView) =>
  queryOptions({
    queryKey: ["clients", "list", { page, limit, query, sort }],
    queryFn: () =>
      answerOf(api.GET("/admin/clients", { params: { query: { page, limit, query, sort } } })),
    refetchInterval: CALM,
  })

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
