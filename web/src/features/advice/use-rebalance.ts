import { useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { messageOf } from "@/api/client"
import { useFeed } from "@/live/feed"
import { toastCentre } from "@/ui/toast"
import type { AdviceDraft } from "./draft"
import { questionOf, rebalanceQuery } from "./queries"

/** Prices older than this are worth reading again before they are sent. */
export const OLD_AFTER = 60_000

/** The trades of the draft: asked for on entry, and again by `recompute`. */
export function useRebalance(advice: AdviceDraft) {
  const question = questionOf(advice)
  const rebalance = useQuery(rebalanceQuery(question))
  const { error, errorUpdatedAt } = rebalance
  useEffect(() => {
    if (error)
      toastCentre.error("Rebalancing failed", { detail: messageOf(error, "") || undefined })
  }, [error, errorUpdatedAt])
  return {
    question,
    /** What is on show; undefined while it is computed, and after a failure. */
    answer: rebalance.isFetching || rebalance.isError ? undefined : rebalance.data,
    /** When this browser received it, by this browser's clock. */
    receivedAt: rebalance.dataUpdatedAt,
    isComputing: rebalance.isFetching,
    error,
    recompute: () => void rebalance.refetch(),
  }
}

export type Computed = ReturnType<typeof useRebalance>

/** Why the prices of a rebalance are too old to be sent without a word; null when they are fresh. */
export function useOldPrices(receivedAt: number, now: Date): string | null {
  const { isStale } = useFeed()
  const age = now.getTime() - receivedAt
  if (age > OLD_AFTER) {
    const minutes = Math.floor(age / 60_000)
    return `These trades were computed ${minutes} minute${minutes === 1 ? "" : "s"} ago; prices may have moved.`
  }
  return isStale ? "The price feed is silent; prices may have moved." : null
}
