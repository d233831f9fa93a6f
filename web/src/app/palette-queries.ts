import { queryOptions } from "@tanstack/react-query"
import { api, dataOf } from "@/api/client"

const MIN_STOCK_SEARCH = 2

export const stocksLikeQuery = (query: string) =>
  queryOptions({
    queryKey: ["palette", "stocks", query],
    queryFn: () => dataOf(api.GET("/instruments/search", { params: { query: { query } } })),
    enabled: query.length >= MIN_STOCK_SEARCH,
  })
