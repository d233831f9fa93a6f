import { queryOptions } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"

export type Mover = components["schemas"]["MoverRow"]
export type UnsentDraft = components["schemas"]["DraftRow"]
export type Undelivered = components["schemas"]["UndeliveredAdvice"]

/** What there is to do, most urgent first. Rows may have changed since it was last looked at. */
export const workQuery = queryOptions({
  queryKey: ["dashboard", "work"],
  queryFn: () => dataOf(api.GET("/admin/dashboard/work")),
  staleTime: 0,
})

export type SetupLine = components["schemas"]["SetupRow"]

/** The set-up list of a new firm; empty when all is done. Only an ADMIN may fetch it. */
export const setupQuery = queryOptions({
  queryKey: ["dashboard", "setup"],
  queryFn: () => dataOf(api.GET("/admin/dashboard/setup")),
  staleTime: 0,
})

/** The next three obligations of the firm that are open. Only an ADMIN may fetch them. */
export const nextObligationsQuery = queryOptions({
  queryKey: ["obligations", "next"],
  queryFn: () => dataOf(api.GET("/admin/obligations/next")),
  staleTime: 0,
})

/** The clients whose value moved most; null before the first daily close. */
export const moversQuery = queryOptions({
  queryKey: ["dashboard", "movers"],
  queryFn: () => dataOf(api.GET("/admin/dashboard/movers")),
  staleTime: 0,
})

/** One page of the letters that could not be delivered, the last failure first. */
export const undeliveredQuery = (page: number, limit: number) =>
  queryOptions({
    queryKey: ["dashboard", "undelivered", { page, limit }],
    queryFn: () =>
      answerOf(api.GET("/admin/advice/undelivered", { params: { query: { page, limit } } })),
    staleTime: 0,
  })

/** One page of the caller's own advice drafts, the last changed first. */
export const unsentDraftsQuery = (page: number, limit: number) =>
  queryOptions({
    queryKey: ["dashboard", "drafts", { page, limit }],
    queryFn: () =>
      answerOf(api.GET("/admin/advice/drafts", { params: { query: { page, limit } } })),
    staleTime: 0,
  })

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
