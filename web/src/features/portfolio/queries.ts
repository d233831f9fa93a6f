import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"
import type { components } from "@/api/schema"

export type Portfolio = components["schemas"]["Portfolio"]
export type Holding = components["schemas"]["HoldingRow"]
export type Holdings = components["schemas"]["Holdings"]

const of = (clientId: string) => ({ params: { path: { client_id: clientId } } })

/** Funds and returns are asked for again now and then; what follows the prices is reckoned between. */
const CALM = 15_000

export const portfolioQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "portfolio"],
    queryFn: () => dataOf(api.GET("/admin/clients/client/{client_id}/portfolio", of(clientId))),
    refetchInterval: CALM,
  })

export const holdingsQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "holdings"],
    queryFn: () => answerOf(api.GET("/admin/clients/client/{client_id}/holdings", of(clientId))),
    refetchInterval: CALM,
  })

/** Everything of a client may change when its start does. */
function useRefreshClient(clientId: string) {
  const cache = useQueryClient()
  return () => cache.invalidateQueries({ queryKey: ["clients", clientId] })
}

export function useSetStartingDate(clientId: string) {
  return useMutation({
    mutationFn: (startingDate: string) =>
      dataOf(
        api.POST("/admin/clients/client/{client_id}/starting-date", {
          ...of(clientId),
          body: { startingDate },
        }),
      ),
    onSuccess: useRefreshClient(clientId),
  })
}

export function useSetStartingCapital(clientId: string) {
  return useMutation({
    mutationFn: (amount: number) =>
      dataOf(
        api.POST("/admin/clients/client/{client_id}/starting-capital", {
          ...of(clientId),
          body: { amount },
        }),
      ),
    onSuccess: useRefreshClient(clientId),
  })
}
