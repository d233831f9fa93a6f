import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"
import type { components } from "@/api/schema"
import { brokerQuery, brokersQuery } from "@/api/shared-queries"

type Schemas = components["schemas"]
export type Broker = Schemas["ShownBroker"]
export type BrokerName = Schemas["ListedBroker"]["name"]
export type Missing = Schemas["Missing"]

/** One broker's record. Each look is a row of the audit trail, so it is asked for only when it is opened. */
export const brokerRecordQuery = (id: string) =>
  queryOptions({
    queryKey: ["brokers", id],
    queryFn: () => dataOf(api.GET("/brokers/{broker_id}", { params: { path: { broker_id: id } } })),
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    retry: false,
  })

/** Logs the firm out at its broker; the answer is the connection as it is then, with the server's sentence. */
export function useBrokerLogOut() {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => answerOf(api.POST("/admin/broker/logout")),
    onSuccess: ({ data }) => cache.setQueryData(brokerQuery.queryKey, data),
    // A refusal says that it is another state than the screen's.
    onSettled: () => cache.invalidateQueries(brokerQuery),
  })
}

interface BrokerDraft {
  description: string
  logo: string
  apiKey: string
  apiSecret: string
  apiUrl: string
  isRenewSessionAllowed: boolean
  status: "ACTIVE" | "INACTIVE"
}

const editedBody = (record: Broker, draft: BrokerDraft) => ({
  id: record._id,
  version: record.version,
  ...draft,
})

/** What a save sends: the fields of a new broker, or of the record that there is. */
export const brokerBody = (name: BrokerName, record: Broker | undefined, draft: BrokerDraft) =>
  record ? editedBody(record, draft) : { name, ...draft }

/** Adds the broker `name`, or edits the record that there is. The key makes a repeated add count once. */
export function useSaveBroker(name: BrokerName, record: Broker | undefined, key: string) {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (draft: BrokerDraft) =>
      record
        ? answerOf(api.PUT("/brokers/edit", { body: editedBody(record, draft) }))
        : answerOf(
            api.POST("/brokers/add", {
              body: { name, ...draft },
              headers: { "Idempotency-Key": key },
            }),
          ),
    onSuccess: async ({ data }) => {
      cache.setQueryData(brokerRecordQuery(data._id).queryKey, data)
      await cache.invalidateQueries({ queryKey: brokersQuery.queryKey, exact: true })
      await cache.invalidateQueries({ queryKey: ["broker"] })
    },
  })
}
