import { queryOptions, useMutation } from "@tanstack/react-query"
import { api, dataOf } from "@/api/client"
import type { components } from "@/api/schema"
import { leaveTo } from "@/lib/leave"
import { recall, remember } from "@/lib/remember"
import { type Handover, tokenOf } from "./handover"

export type ShownLink = components["schemas"]["ShownLink"]
export type TakenSession = components["schemas"]["TakenSession"]
type BrokerName = TakenSession["broker"]

/**
 * The link that a log-in was begun by, link in this browser until the log-in is taken: the return page may be another
 * tab, and anybody could have written its address.
 */
const LINK = "connect-link"

function keptLink(): string {
  const link = recall(LINK)
  return typeof link === "string" ? link : ""
}

/** The firm and broker of a client's link. Opening it does not use it up. */
export const linkQuery = (token: string) =>
  queryOptions({
    queryKey: ["broker-link", token],
    queryFn: () => dataOf(api.POST("/broker-links/show", { body: { token } })),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
  })

/** Begins the log-in and leaves for the broker's page. */
export const useBeginLogin = (token: string) =>
  useMutation({
    mutationFn: (broker: BrokerName) =>
      dataOf(
        api.POST("/broker-links/begin", { body: { token, broker, returnTo: "browser" as const } }),
      ),
    onSuccess: ({ url }) => {
      remember(LINK, token)
      leaveTo(url)
    },
  })

/**
 * Hands over what the broker brought back, once: asked for as a query, so that a page that is drawn twice sends it
 * once, and a person can try again where the server was not reached.
 */
export const takenSessionQuery = (given: Handover) =>
  queryOptions({
    queryKey: ["client-login", given],
    queryFn: async () => {
      const taken = await dataOf(
        api.POST("/brokers/session", {
          body: {
            state: given.state,
            linkToken: keptLink(),
            requestToken: given.requestToken,
            authToken: given.requestToken ? "" : tokenOf(given),
            refreshToken: given.refreshToken,
            feedToken: given.feedToken,
          },
        }),
      )
      remember(LINK, null)
      return taken
    },
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
