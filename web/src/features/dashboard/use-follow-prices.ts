import type { UseQueryResult } from "@tanstack/react-query"
import { useEffect, useEffectEvent } from "react"
import { onPriceBeat } from "@/live/use-last-price"

/** Milliseconds for which figures that the server ranks are good while prices move. */
const GOOD_FOR = 5_000

/** Fetches figures again when prices have moved since: in a closed market nothing is fetched. */
export function useFollowPrices(result: UseQueryResult) {
  const follow = useEffectEvent(() => {
    const fetchedAt = Math.max(result.dataUpdatedAt, result.errorUpdatedAt)
    if (!result.isFetching && Date.now() - fetchedAt >= GOOD_FOR) void result.refetch()
  })
  useEffect(() => onPriceBeat(() => follow()), [])
}
