import { useQuery } from "@tanstack/react-query"
import { lastPrice, usePriceBeat } from "@/live/use-last-price"
import { atLastPrices } from "./figures"
import { statsQuery, stockDistributionQuery } from "./queries"

/** The firm's figures and stocks at the newest prices, with the two queries that they come from. */
export function useAtLastPrices() {
  usePriceBeat()
  const stats = useQuery(statsQuery)
  const stocks = useQuery(stockDistributionQuery)
  return {
    stats,
    stocks,
    ...atLastPrices(stocks.data ?? [], stats.data?.totalCurrentAUM, lastPrice),
  }
}
