import type { UseQueryResult } from "@tanstack/react-query"
import { useEffect } from "react"
import { usePriceBeat } from "@/live/use-last-price"

/** Milliseconds for which figures that the server ranks are good while prices move. */
const GOOD_FOR = 5_000

/** Fetches figures again when prices have moved since: in a closed market nothing is fetched. */
export function useFollowPrices(result: UseQueryResult) {
  const beat = usePriceBeat()
  const { isFetching, refetch } = result
  const fetchedAt = Math.max(result.dataUpdatedAt, result.errorUpdatedAt)
  useEffect(() => {
    if (beat > 0 && !isFetching && Date.now() - fetchedAt >= GOOD_FOR) void refetch()
    // Only a beat starts it, not the end of a fetch.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [beat])
}
