import { queryOptions } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "./client"

/** The firm's registration, which the public pages, the sidebar and the settings show. */
export const firmQuery = queryOptions({
  queryKey: ["firm"],
  queryFn: () => dataOf(api.GET("/firm")),
  staleTime: Infinity,
})

/** The firm's record as an ADMIN sees it: its details, its disclosures, its texts. */
export const firmDetailsQuery = queryOptions({
  queryKey: ["settings", "firm"],
  queryFn: () => dataOf(api.GET("/settings/firm")),
})

/** The person of the token; fetched on entry to the protected area. */
export const signedInQuery = queryOptions({
  queryKey: ["signed-in"],
  queryFn: () => dataOf(api.GET("/auth/verify-token")),
  staleTime: 5 * 60_000,
})

/** The added brokers. */
export const brokersQuery = queryOptions({
  queryKey: ["brokers"],
  queryFn: () => dataOf(api.GET("/brokers")),
})

/** Whether the firm is logged in with a broker. A login ends in another tab, so returning to this one fetches again. */
export const brokerQuery = queryOptions({
  queryKey: ["broker"],
  queryFn: () => dataOf(api.GET("/admin/broker")),
  staleTime: 0,
})

/** Search starts at two letters. */
const MIN_SEARCH = 2

/** Stocks by symbol or name, the exact symbol first. */
export const stocksQuery = (query: string) =>
  queryOptions({
    queryKey: ["stocks", query],
    queryFn: () => dataOf(api.GET("/instruments/search", { params: { query: { query } } })),
    enabled: query.length >= MIN_SEARCH,
    staleTime: 5 * 60_000,
    retry: false,
  })

/** A client's restrictions on stocks; shown on the advice form and beside the holdings. */
export const restrictionsQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "restrictions"],
    queryFn: () =>
      dataOf(
        api.GET("/admin/clients/client/{client_id}/restrictions", {
          params: { path: { client_id: clientId } },
        }),
      ),
  })

/** Search for clients by name starts at two letters. */
export const SHORTEST_NAME = 2
const MAX_CLIENTS = 6

/** The first clients by code or name. */
export const clientsLikeQuery = (query: string, limit = MAX_CLIENTS) =>
  queryOptions({
    queryKey: ["clients", "like", query, limit],
    queryFn: async () => {
      const answer = await answerOf(
        api.GET("/admin/clients", { params: { query: { query, page: 1, limit } } }),
      )
      return answer.data
    },
    enabled: query !== "",
  })
