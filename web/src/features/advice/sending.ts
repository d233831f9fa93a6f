import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { offerApproval } from "@/api/approval"
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

/** Whether a row is sent: BUY and SELL. Only rows with a price are traded. */
export const isTraded = (row: RebalanceRow): row is TradedRow =>
  row.type !== "HOLD" && row.ltp !== null

const sumOf = (figures: number[]) =>
  rupeesOf(figures.reduce((sum, figure) => sum + unitsOf(figure), 0n))

/** The value of one side's stocks after the trades, as the specification defines the totals. */
export const worthOf = (rows: RebalanceRow[], type: "BUY" | "SELL") =>
  sumOf(rows.map((row) => (row.type === type ? (row.projectedInvestmentValue ?? 0) : 0)))

/** The order value in rupees of a BUY or SELL row; null for HOLD. */
export const tradedValue = (row: RebalanceRow) =>
  row.type === "SELL"
    ? row.valueToBeFreed
    : row.type === "BUY"
      ? row.additionalInvestmentValue
      : null

/** The longest sentence about one order. */
export const LONGEST_NOTE = 300

/** The analyst's own sentence about an order; "" without one. */
export const noteOf = (row: RebalanceRow, { notes }: AdviceDraft) => (notes[row.isin] ?? "").trim()

/** The advice to send: the trades as shown, without HOLD rows. */
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
      ...(noteOf(row, advice) !== "" && { note: noteOf(row, advice) }),
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

/** Whether it is unknown that the advice was created. */
const isUnanswered = (error: unknown) =>
  !(error instanceof ApiError) || error.isNetwork || error.status >= 500

/**
 * Sends advice once. The draft first marks it as being sent, with its idempotency key: until an answer arrives,
 * only the same advice can be sent again, under the same key.
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
      // Cleared before the screen changes, so that it cannot be sent again.
      draft.resetSent()
      void cache.invalidateQueries({ queryKey: ["advice"], predicate: isNotRebalance })
      // The client's advice history has a new entry.
      void cache.invalidateQueries({ queryKey: ["clients"] })
      await navigate({ to: "/home/advice" })
      cache.removeQueries({ queryKey: rebalances })
    },
    onError: (error) => {
      const asked = draft.get().sending?.body
      if (!isUnanswered(error)) draft.change({ sending: null })
      if (asked && offerApproval(error, { action: "ADVICE", advice: asked })) return
      toastCentre.error("Failed to create advice.", { detail: messageOf(error, "") || undefined })
    },
  })
  const isSending = sending.isPending
  return {
    isSending,
    error: sending.error,
    /** Sends this advice. The key is the id of the rebalance, so that one rebalance makes one advice. */
    send: (body: Advice) => {
      if (draft.get().sending !== null || cache.isMutating({ mutationKey: ["advice", "send"] }) > 0)
        return
      draft.change({ sending: { key: body.rebalanceId ?? newIdempotencyKey(), body } })
      sending.mutate()
    },
    /** Sends the unanswered advice again. */
    sendAgain: () => {
      if (cache.isMutating({ mutationKey: ["advice", "send"] }) === 0) sending.mutate()
    },
  }
}

const isNotRebalance = ({ queryKey }: { queryKey: readonly unknown[] }) =>
  queryKey[1] !== rebalances[1]

/** Advice can be sent unless another one waits for its answer. */
export const maySend = (advice: AdviceDraft) => advice.sending === null
