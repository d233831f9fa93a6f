import { queryOptions } from "@tanstack/react-query"
import { api, dataOf } from "./client"

/** The firm's registration, which the public pages, the sidebar and the settings show. */
export const firmQuery = queryOptions({
  queryKey: ["firm"],
  queryFn: () => dataOf(api.GET("/firm")),
  staleTime: Infinity,
})

/** Who the token belongs to; asked on entry to the protected area. */
export const signedInQuery = queryOptions({
  queryKey: ["signed-in"],
  queryFn: () => dataOf(api.GET("/auth/verify-token")),
  staleTime: 5 * 60_000,
})
