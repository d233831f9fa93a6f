import { queryOptions } from "@tanstack/react-query"
import { api, dataOf } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"

export const statsQuery = queryOptions({
  queryKey: ["dashboard", "stats"],
  queryFn: () => dataOf(api.GET("/admin/dashboard/stats")),
})

/** Largest first, as the server ranks it. */
export const stockDistributionQuery = queryOptions({
  queryKey: ["dashboard", "stocks-distribution"],
  queryFn: () => dataOf(api.GET("/admin/dashboard/stocks-distribution")),
})

/** Newest first. */
export const dailyAumQuery = queryOptions({
  queryKey: ["dashboard", "daily-aum"],
  queryFn: () => dataOf(api.GET("/admin/dashboard/daily-aum")),
})

export const stockDistributionFile = (format: SheetFormat) =>
  fileOf(
    api.GET("/admin/dashboard/stocks-distribution/export", {
      params: { query: { format } },
      parseAs: "blob",
    }),
  )

export const dailyAumFile = (format: SheetFormat) =>
  fileOf(
    api.GET("/admin/dashboard/daily-aum/export", {
      params: { query: { format } },
      parseAs: "blob",
    }),
  )
