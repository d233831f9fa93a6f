import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"
import type { components } from "@/api/schema"
import { REFRESH_AFTER } from "./queries"

const root = "/admin/clients/client/{client_id}"
const pathOf = (clientId: string) => ({ params: { path: { client_id: clientId } } })

export type ClientConnection = components["schemas"]["ClientConnection"]

/** A client's connection with the broker. A login ends elsewhere, so this is fetched again regularly. */
export const connectionQuery = (clientId: string) =>
  queryOptions({
    queryKey: ["clients", clientId, "connection"],
    queryFn: () => dataOf(api.GET(`${root}/connection`, pathOf(clientId))),
    refetchInterval: REFRESH_AFTER,
  })

/** The clients who logged in with an ID that nobody has confirmed yet. */
export const idsToConfirmQuery = queryOptions({
  queryKey: ["clients", "ids-to-confirm"],
  queryFn: () => dataOf(api.GET("/admin/clients/broker-ids-to-confirm")),
  refetchInterval: 30_000,
})

/** Mails a client a link to log in at the broker; or makes one that staff hand over, and answers it. */
export function useConnectLink() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ clientId, send }: { clientId: string; send: boolean }) =>
      dataOf(api.POST(`${root}/connect-link`, { ...pathOf(clientId), body: { send } })),
    onSettled: (_, __, { clientId }) => cache.invalidateQueries(connectionQuery(clientId)),
  })
}

/** What staff do about a connection. */
export type ConnectionAct = "confirm" | "refuse" | "end" | "forget-id"

/** Does it; the answer is the connection as it is then, with the server's sentence. */
export function useConnectionAct(clientId: string) {
  const cache = useQueryClient()
  const client = pathOf(clientId)
  const path = `${root}/connection` as const
  return useMutation({
    mutationFn: ({ act, sessionId }: { act: ConnectionAct; sessionId: string }) => {
      if (act === "end") return answerOf(api.POST(`${path}/end`, client))
      if (act === "forget-id") return answerOf(api.POST(`${path}/forget-id`, client))
      return answerOf(api.POST(`${path}/${act}`, { ...client, body: { sessionId } }))
    },
    onSuccess: ({ data }) => cache.setQueryData(connectionQuery(clientId).queryKey, data),
    // The list, the profile and the portfolio say too whether the client is connected.
    onSettled: () => cache.invalidateQueries({ queryKey: ["clients"] }),
  })
}
