import { useDebouncedValue } from "@mantine/hooks"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { answerOf, api, dataOf, messageOf } from "@/api/client"
import type { components } from "@/api/schema"
import { toastCentre } from "@/ui/overlay/toast"
import { type AdviceDraft, draft, type Rebalance } from "./draft"
import { inOrder, rebalances, useRebalance } from "./queries"

export type OrderStop = components["schemas"]["OrderStop"]
export type TaxStop = components["schemas"]["TaxStop"]

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

/** The stops of a rebalance, from all of its tax to none; or why there are none. */
const taxStopsQuery = (rebalanceId: string) =>
  queryOptions({
    queryKey: [...rebalances, "tax-stops", rebalanceId],
    queryFn: () =>
      dataOf(
        api.GET("/admin/advice/rebalances/{rebalance_id}/less-tax", {
          params: { path: { rebalance_id: rebalanceId } },
        }),
      ),
    enabled: rebalanceId !== "",
    ...computedOnce,
  })

const taxStopQuery = (rebalanceId: string, stop: number) =>
  queryOptions({
    queryKey: [...rebalances, "tax-stops", rebalanceId, stop],
    queryFn: async () =>
      inOrder(
        await answerOf(
          api.POST("/admin/advice/rebalances/{rebalance_id}/less-tax", {
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

const atStop = (full: Rebalance, stop: OrderStop | TaxStop | undefined) =>
  stop && inOrder({ ...full, data: stop.data, summary: stop.summary, notices: stop.notices })

/** Goes back to the full rebalance, and says why, when a stop could not be computed. */
function useRefusal(title: string, { error, errorUpdatedAt }: ChosenStop) {
  useEffect(() => {
    if (!error) return
    toastCentre.error(title, { detail: messageOf(error, "") })
    draft.change({ stop: 0, taxStop: 0 })
  }, [title, error, errorUpdatedAt])
}

type ChosenStop = { error: Error | null; errorUpdatedAt: number }

/** The rebalance of the draft at the chosen stop. Its rows are shown before it can be sent. */
export function useResult(advice: AdviceDraft) {
  const computed = useRebalance(advice)
  const { stop, taxStop } = advice
  const full = computed.answer
  const id = full?.rebalanceId ?? ""
  const [settled] = useDebouncedValue(stop, SETTLED_AFTER)
  const [settledTax] = useDebouncedValue(taxStop, SETTLED_AFTER)
  const stops = useQuery(stopsQuery(id))
  const taxStops = useQuery(taxStopsQuery(id))
  const chosen = useQuery(stopQuery(id, settled))
  const chosenTax = useQuery(taxStopQuery(id, settledTax))
  useRefusal("Fewer orders could not be computed", chosen)
  useRefusal("Less tax could not be computed", chosenTax)
  const ofOrders = settled === stop ? chosen.data : undefined
  const ofTax = settledTax === taxStop ? chosenTax.data : undefined
  const stored = taxStop > 0 ? ofTax : stop > 0 ? ofOrders : full
  const passing = taxStop > 0 ? taxStops.data?.stops[taxStop] : stops.data?.[stop]
  const answer = full && (stored ?? atStop(full, passing))
  return {
    ...computed,
    answer,
    isComputing: computed.isComputing || (full !== undefined && answer === undefined),
    /** Whether the answer is stored under its own id, so that it can be sent. */
    isStored: stored !== undefined,
    stops,
    taxStops,
  }
}

export type Result = ReturnType<typeof useResult>
