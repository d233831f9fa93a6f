import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { ApiError, messageOf, newIdempotencyKey } from "@/api/client"
import { toastCentre } from "@/ui/overlay/toast"
import { type Advice, type AdviceDraft, draft, type Rebalance, type RebalanceRow } from "./draft"
import { rebalances, sendMarked } from "./queries"
import { rupeesOf, unitsOf } from "./targets"

type TradedRow = RebalanceRow & {
  ltp: number
  allocationPercentage: number
  possibleAllocationPercentage: number
  currentInvestmentValue: number
  projectedInvestmentValue: number
}

/** True of what is sent: BUY and SELL. Only a row with a price is ever traded. */
export const isTraded = (row: RebalanceRow): row is TradedRow =>
  row.type !== "HOLD" && row.ltp !== null

const sumOf = (figures: number[]) =>
  rupeesOf(figures.reduce((sum, figure) => sum + unitsOf(figure), 0n))

/** The worth of one side's stocks once traded, as the product defines its totals. */
export const worthOf = (rows: RebalanceRow[], type: "BUY" | "SELL") =>
  sumOf(rows.map((row) => (row.type === type ? (row.projectedInvestmentValue ?? 0) : 0)))

/** The rupees of a row's order, whichever its side; null for HOLD. */
export const tradedValue = (row: RebalanceRow) =>
  row.type === "SELL"
    ? row.valueToBeFreed
    : row.type === "BUY"
      ? row.additionalInvestmentValue
      : null

/** What is sent: the trades as they are shown. HOLD rows are left out. */
export function adviceOf(answer: Rebalance, advice: AdviceDraft): Advice {
  const { client, investment, rationale, disclosures } = advice
  const stocks = answer.data.filter(isTraded)
  return {
    userId: client?.id ?? "",
    totalStocks: stocks.length,
    totalInvestedValue: investment,
    totalBuyValue: worthOf(stocks, "BUY"),
    totalSellValue: worthOf(stocks, "SELL"),
    stocks: stocks.map((row) => ({
      type: row.type,
      symbol: row.symbol,
      exchange: row.exchange,
      product: row.product,
      quantity: row.quantity,
      instrumentToken: row.instrumentToken,
      allocationPercentage: row.allocationPercentage,
      possibleAllocationPercentage: row.possibleAllocationPercentage,
      drift: row.drift,
      message: row.message,
      ltp: row.ltp,
      currentInvestmentValue: row.currentInvestmentValue,
      additionalInvestmentValue: row.additionalInvestmentValue,
      projectedInvestmentValue: row.projectedInvestmentValue,
    })),
    rebalanceId: answer.rebalanceId,
    rationale: rationale.trim(),
    disclosures,
  }
}

/** Without an answer of the server nobody knows whether the advice was made. */
const isUnanswered = (error: unknown) =>
  !(error instanceof ApiError) || error.isNetwork || error.status >= 500

/**
 * Sends advice once. What is sent is marked in the draft first, with its key: as long as no answer came, only
 * the very same may be sent again, under the same key, which the server takes as one.
 */
export function useSend() {
  const cache = useQueryClient()
  const navigate = useNavigate()
  const sending = useMutation({
    mutationKey: ["advice", "send"],
    mutationFn: sendMarked,
    onSuccess: async () => {
      const { client, sending: sent } = draft.get()
      const orders = sent?.body.stocks.length ?? 0
      toastCentre.success("Advice created successfully", {
        detail: `${orders} order${orders === 1 ? "" : "s"} for ${client?.code ?? ""} · ${client?.name ?? ""}`,
      })
      // Gone before the screen is left, so that nothing can send it again.
      draft.resetSent()
      void cache.invalidateQueries({ queryKey: ["advice"], predicate: isNoRebalance })
      // The client's advice history has one more.
      void cache.invalidateQueries({ queryKey: ["clients"] })
      await navigate({ to: "/home/advice" })
      cache.removeQueries({ queryKey: rebalances })
    },
    onError: (error) => {
      if (!isUnanswered(error)) draft.change({ sending: null })
      toastCentre.error("Failed to create advice.", { detail: messageOf(error, "") || undefined })
    },
  })
  const isSending = sending.isPending
  return {
    isSending,
    error: sending.error,
    /** Sends this advice; the key is the rebalance's own, so that one rebalance makes one advice. */
    send: (body: Advice) => {
      if (draft.get().sending !== null || cache.isMutating({ mutationKey: ["advice", "send"] }) > 0)
        return
      draft.change({ sending: { key: body.rebalanceId ?? newIdempotencyKey(), body } })
      sending.mutate()
    },
    /** Sends again what got no answer. */
    sendAgain: () => {
      if (cache.isMutating({ mutationKey: ["advice", "send"] }) === 0) sending.mutate()
    },
  }
}

const isNoRebalance = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  queryKey[1] !== rebalances[1]

/** Advice can be sent when nothing of before waits for its answer. */
export const maySend = (advice: AdviceDraft) => advice.sending === null
