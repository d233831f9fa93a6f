import { queryOptions } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"

export type TrailEntry = components["schemas"]["TrailEntry"]
export type TrailChange = components["schemas"]["TrailChange"]
export type TrailVerified = components["schemas"]["TrailVerified"]

/** Rows on a page as the screen opens. */
export const AUDIT_PAGE = 20

/** What the address of the screen holds; both days or none, "" where nothing filters. */
export interface AuditView {
  page: number
  limit: number
  /** A record's id, an id of a request or session, or an address of the network. */
  query: string
  from: string
  to: string
  /** An account's id, or `system`. */
  who: string
  action: string
  kind: string
}

export const noFilter = { query: "", from: "", to: "", who: "", action: "", kind: "" }

const filtersOf = ({ query, from, to, who, action, kind }: AuditView) => ({
  query,
  who,
  action,
  kind,
  from: from || undefined,
  to: to || undefined,
})

export const auditQuery = (view: AuditView) =>
  queryOptions({
    queryKey: ["audit", "list", view],
    queryFn: () =>
      answerOf(
        api.GET("/admin/audit", {
          params: { query: { ...filtersOf(view), page: view.page, limit: view.limit } },
        }),
      ),
  })

export const auditChoicesQuery = queryOptions({
  queryKey: ["audit", "choices"],
  queryFn: () => dataOf(api.GET("/admin/audit/choices")),
})

/** All rows that fit the filters, as a file. */
export const auditFile = (view: AuditView, format: SheetFormat) =>
  fileOf(
    api.GET("/admin/audit/export", {
      params: { query: { ...filtersOf(view), format } },
      parseAs: "blob",
    }),
  )

/** Walks the whole trail on the server. */
export const verifyTrail = () => dataOf(api.GET("/admin/audit/verify"))

/** `client_added` as people say it: "Client added". */
export const inWords = (name: string) => {
  const words = name.replaceAll("_", " ")
  return words.charAt(0).toUpperCase() + words.slice(1)
}
