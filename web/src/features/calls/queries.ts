import { queryOptions } from "@tanstack/react-query"
import { api, dataOf } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"

type Schemas = components["schemas"]
export type CallsRecord = Schemas["CallsShown"]
export type CallRow = Schemas["CallShown"]
export type HitRate = Schemas["HitRateRow"]
export type Audience = Schemas["Audience"]

/** Rows on a page as the screen opens. */
export const CALLS_PAGE = 20

/** What the address of the screen holds; both days or none. */
export interface CallsView {
  page: number
  limit: number
  query: string
  sort: string
  from: string
  to: string
  state: Schemas["CallState"] | ""
  verdict: Schemas["Verdict"] | ""
  model: string
}

/** The metrics of all calls with one page of the calls that match. */
export const callsQuery = ({ page, limit, query, sort, ...filters }: CallsView) =>
  queryOptions({
    queryKey: ["calls", { page, limit, query, sort, ...filters }],
    queryFn: async () => {
      const record = await dataOf(
        api.GET("/admin/calls/record", {
          params: {
            query: {
              page,
              limit,
              query,
              sort,
              model: filters.model,
              from: filters.from || undefined,
              to: filters.to || undefined,
              state: filters.state || undefined,
              verdict: filters.verdict || undefined,
            },
          },
        }),
      )
      return { ...record, data: record.calls }
    },
    staleTime: 0,
  })

export interface ExportRequest {
  audience: Audience
  askedBy: string
  format: SheetFormat
}

/** The raw record of every advised purchase and sale, chained by hashes. */
export const recordFile = (query: ExportRequest) =>
  fileOf(api.GET("/admin/calls/record/export", { params: { query }, parseAs: "blob" }))
