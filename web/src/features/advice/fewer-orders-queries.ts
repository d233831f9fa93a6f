import { useDebouncedValue } from "@mantine/hooks"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { answerOf, api, dataOf, messageOf } from "@/api/client"
import type { components } from "@/api/schema"
import { toastCentre } from "@/ui/overlay/toast"
import { type AdviceDraft, draft, type Rebalance } from "./draft"
import { inOrder, rebalances, useRebalance } from "./queries"

export type OrderStop = components["schemas"]["OrderStop"]

const computedOnce = { staleTime: Infinity, retry: false, refetchOnReconnect: false } as const

/** The stops of a rebalance, from all of its orders to few of them. */
const stopsQuery = (rebalanceId: string) =>
  queryOptions({
    queryKey: [...rebalances, "stops", rebalanceId],
    queryFn: () =>
      dataOf(
        api.GET("/admin/advice/rebalances/{rebalance_id}/fewer-orders", {
          params: { path: { rebalance_id: rebalanceId } },
        }),
      ),
    enabled: rebalanceId !== "",
    ...computedOnce,
  })

/** A stop as a rebalance of its own, which can be sent. */
const stopQuery = (rebalanceId: string, stop: number) =>
  queryOptions({
    queryKey: [...rebalances, "stops", rebalanceId, stop],
    queryFn: async () =>
      inOrder(
        await answerOf(
          api.POST("/admin/advice/rebalances/{rebalance_id}/fewer-orders", {
            params: { path: { rebalance_id: rebalanceId } },
            body: { stop },
          }),
        ),
      ),
    enabled: rebalanceId !== "" && stop > 0,
    ...computedOnce,
  })

/** Stops that the slider only passes are not stored. */
const SETTLED_AFTER = 400

const atStop = (full: Rebalance, stop: OrderStop | undefined) =>
  stop && inOrder({ ...full, data: stop.data, summary: stop.summary, notices: stop.notices })

/** The rebalance of the draft with the orders of the chosen stop. Its rows are shown before it can be sent. */
export function useResult(advice: AdviceDraft) {
  const computed = useRebalance(advice)
  const { stop } = advice
  const full = computed.answer
  const id = full?.rebalanceId ?? ""
  const [settled] = useDebouncedValue(stop, SETTLED_AFTER)
  const stops = useQuery(stopsQuery(id))
  const chosen = useQuery(stopQuery(id, settled))
  const { error, errorUpdatedAt } = chosen
  useEffect(() => {
    if (!error) return
    toastCentre.error("Fewer orders could not be computed", { detail: messageOf(error, "") })
    draft.change({ stop: 0 })
  }, [error, errorUpdatedAt])
  const stored = stop === 0 ? full : settled === stop ? chosen.data : undefined
  const answer = full && (stored ?? atStop(full, stops.data?.[stop]))
  return {
    ...computed,
    answer,
    isComputing: computed.isComputing || (full !== undefined && answer === undefined),
    /** Whether the answer is stored under its own id, so that it can be sent. */
    isStored: stored !== undefined,
    stops,
  }
}

export type Result = ReturnType<typeof useResult>
