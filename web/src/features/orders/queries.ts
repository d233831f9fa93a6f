import { queryOptions } from "@tanstack/react-query"
import { answerOf, api } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"

export type Order = components["schemas"]["OrderRow"]
type OrderStatus = components["schemas"]["OrderStatus"]

export const ORDER_STATUSES = [
  "COMPLETE",
  "REJECTED",
  "OPEN",
  "CANCELLED",
] as const satisfies OrderStatus[]

/** Rows on a page as it opens. */
export const ORDERS_PAGE = 20

/** The page and its filters; days are in India, both included. */
export interface OrderBookView {
  page: number
  limit: number
  from: string
  to: string
  status: OrderStatus | ""
}

const filtersOf = ({ from, to, status }: OrderBookView) => ({
  from: from || undefined,
  to: to || undefined,
  status: status || undefined,
})

/** Newest first. */
export const orderBookQuery = (clientId: string, view: OrderBookView) =>
  queryOptions({
    queryKey: ["clients", clientId, "orders", view],
    queryFn: async () => {
      const { page, limit } = view
      const answer = await answerOf(
        api.GET("/admin/clients/client/{client_id}/order-book", {
          params: { path: { client_id: clientId }, query: { page, limit, ...filtersOf(view) } },
        }),
      )
      return { data: answer.data.orders, pagination: answer.pagination }
    },
    // Each page is asked for when it is opened: rows may have come and gone since it was last looked at.
    staleTime: 0,
  })

/** All orders that fit the filters, as a file. */
export const orderBookFile = (clientId: string, view: OrderBookView, format: SheetFormat) =>
  fileOf(
    api.GET("/admin/clients/client/{client_id}/order-book/export", {
      params: { path: { client_id: clientId }, query: { ...filtersOf(view), format } },
      parseAs: "blob",
    }),
  )
