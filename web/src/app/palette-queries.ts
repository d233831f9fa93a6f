import { queryOptions } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"

const MAX_CLIENTS = 6
const MIN_STOCK_SEARCH = 2

export const clientsLikeQuery = (query: string) =>
  queryOptions({
    queryKey: ["palette", "clients", query],
    queryFn: async () => {
      const answer = await answerOf(
        api.GET("/admin/clients", { params: { query: { query, page: 1, limit: MAX_CLIENTS } } }),
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
