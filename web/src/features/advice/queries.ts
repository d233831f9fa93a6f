import { queryOptions, useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { answerOf, api, dataOf, messageOf } from "@/api/client"
import { percentOf } from "@/lib/shares"
import { useFeed } from "@/live/feed"
import { toastCentre } from "@/ui/overlay/toast"
import { type AdviceDraft, draft, type Rebalance } from "./draft"
import { isCash } from "./targets"

export const clientHoldingsQuery = (code: string) =>
  queryOptions({
    queryKey: ["advice", "holdings", code],
    queryFn: () =>
      dataOf(
        api.GET("/admin/advice/clients/by-code/{code}/holdings", { params: { path: { code } } }),
      ),
    staleTime: 0,
    retry: false,
  })

export interface StockName {
  tradingSymbol: string
  exchange: string
}

const bodyOf = ({ tradingSymbol, exchange }: StockName) => ({
  body: { symbolName: tradingSymbol, exchange },
})

export const watchStock = (stock: StockName) => dataOf(api.POST("/instruments/add", bodyOf(stock)))

export const unwatchStock = (stock: StockName) =>
  answerOf(api.DELETE("/instruments/remove", bodyOf(stock)))

/** The body of the rebalance call; null while nothing can be computed. Rows without a target are not traded. */
export function questionOf(draft: AdviceDraft) {
  const { client, investment, rows, mode, raiseAmount } = draft
  const targets = rows.filter((row) => row.target !== null)
  if (!client || investment === "" || investment <= 0 || targets.length === 0) return null
  const raised = mode === "RAISE_CASH" && raiseAmount !== "" ? { raiseAmount } : {}
  return {
    clientId: client.id,
    clientName: client.name,
    targetInvestmentValue: investment,
    targetHoldings: targets.map((row) => ({
      tradingSymbol: row.tradingSymbol,
      isin: row.isin,
      exchange: row.exchange,
      ...(isCash(row) ? {} : { instrumentToken: row.instrumentToken }),
      allocationPercentage: percentOf(row.target ?? 0),
    })),
    options: { ...draft.options, ...(mode === "FULL" ? {} : { mode }), ...raised },
  }
}

export type Question = NonNullable<ReturnType<typeof questionOf>>

/** SELL before BUY, since sales pay for purchases; HOLD last. */
const order = { SELL: 0, BUY: 1, HOLD: 2 } as const

export const inOrder = (answer: Rebalance): Rebalance => ({
  ...answer,
  data: answer.data.toSorted((first, second) => order[first.type] - order[second.type]),
})

export const rebalances = ["advice", "rebalance"] as const

/** The computed trades. They do not change until they are computed again: what is shown is what is sent. */
const rebalanceQuery = (question: Question | null) =>
  queryOptions({
    queryKey: [...rebalances, question],
    queryFn: async () => {
      if (!question) throw new Error("There is nothing to rebalance.")
      return inOrder(
        await answerOf(api.POST("/admin/advice/rebalance-portfolio", { body: question })),
      )
    },
    enabled: question !== null,
    staleTime: Infinity,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })

/** Sends the advice that the draft marks as being sent. */
export function sendMarked() {
  const { sending } = draft.get()
  if (!sending) throw new Error("The draft has nothing to send.")
  return dataOf(
    api.POST("/admin/advice/create", {
      body: sending.body,
      headers: { "Idempotency-Key": sending.key },
    }),
  )
}

/** Older prices should be read again before the advice is sent. */
const OLD_AFTER = 60_000

/** The trades of the draft: computed on entry, and again by `recompute`. */
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
    /** Undefined while it is computed, and after a failure. */
    answer: rebalance.isFetching || rebalance.isError ? undefined : rebalance.data,
    /** When this browser received it, by this browser's clock. */
    receivedAt: rebalance.dataUpdatedAt,
    isComputing: rebalance.isFetching,
    error,
    recompute: () => void rebalance.refetch(),
  }
}

export type Computed = ReturnType<typeof useRebalance>

/** The warning about old prices; null when they are fresh. */
export function useOldPrices(receivedAt: number, now: Date): string | null {
  const { isStale } = useFeed()
  const age = now.getTime() - receivedAt
  if (age > OLD_AFTER) {
    const minutes = Math.floor(age / 60_000)
    return `These trades were computed ${minutes} minute${minutes === 1 ? "" : "s"} ago; prices may have moved.`
  }
  return isStale ? "The price feed has stopped; prices may have moved." : null
}
