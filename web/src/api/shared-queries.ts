import { queryOptions } from "@tanstack/react-query"
import { api, dataOf } from "./client"

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

/** Who the token belongs to; asked on entry to the protected area. */
export const signedInQuery = queryOptions({
  queryKey: ["signed-in"],
  queryFn: () => dataOf(api.GET("/auth/verify-token")),
  staleTime: 5 * 60_000,
})

/** The brokers that were added. */
export const brokersQuery = queryOptions({
  queryKey: ["brokers"],
  queryFn: () => dataOf(api.GET("/brokers")),
})

/** Whether the firm is logged in with a broker. A log-in ends in another tab, so coming back asks again. */
export const brokerQuery = queryOptions({
  queryKey: ["broker"],
  queryFn: () => dataOf(api.GET("/admin/broker")),
  staleTime: 0,
})

/** Search starts at two letters. */
const SHORTEST_SEARCH = 2

/** Stocks by symbol or name, the exact symbol first. */
export const stocksQuery = (query: string) =>
  queryOptions({
    queryKey: ["stocks", query],
    queryFn: () => dataOf(api.GET("/instruments/search", { params: { query: { query } } })),
    enabled: query.length >= SHORTEST_SEARCH,
    staleTime: 5 * 60_000,
    retry: false,
  })

/** What a client's stocks may not be done with; read on the advice form and beside the holdings. */
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
