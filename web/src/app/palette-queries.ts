import { queryOptions } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"

/** Clients that are offered. */
export const MAX_CLIENTS = 6
/** More are fetched: where there are several words, only those that have all of them are offered. */
const FETCHED_CLIENTS = 20
const MIN_STOCK_SEARCH = 2

export const clientsLikeQuery = (query: string) =>
  queryOptions({
    queryKey: ["palette", "clients", query],
    queryFn: async () => {
      const answer = await answerOf(
        api.GET("/admin/clients", {
          params: { query: { query, page: 1, limit: FETCHED_CLIENTS } },
        }),
      )
      return answer.data
    },
    enabled: query !== "",
  })

export const stocksLikeQuery = (query: string) =>
  queryOptions({
    queryKey: ["palette", "stocks", query],
    queryFn: () => dataOf(api.GET("/instruments/search", { params: { query: { query } } })),
    enabled: query.length >= MIN_STOCK_SEARCH,
  })
