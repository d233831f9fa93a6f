import { answerOf, api, messageOf, newIdempotencyKey } from "@/api/client"
import { basisPointsOf } from "@/lib/shares"
import { toastCentre } from "@/ui/overlay/toast"
import { draft } from "./draft"
import { cashStart, startFrom } from "./starts"

/**
 * The targets of what is left of an advice, at fresh prices, with the Investment Value that the server worked out.
 * Stocks of which nothing is left get no target, so that they are not traded.
 */
export async function startFromFollowUp(adviceId: string): Promise<boolean> {
  const { client } = draft.get()
  if (!client) return false
  try {
    const plan = await answerOf(
      api.POST("/admin/advice/{advice_id}/follow-up", {
        params: { path: { advice_id: adviceId } },
        headers: { "Idempotency-Key": newIdempotencyKey() },
      }),
    )
    if (draft.get().client?.id !== client.id) return false
    const starts = plan.data.flatMap((row) =>
      row.allocationPercentage === null
        ? []
        : {
            tradingSymbol: row.symbol,
            exchange: row.exchange,
            isin: row.isin,
            instrumentToken: row.instrumentToken,
            target: basisPointsOf(row.allocationPercentage),
          },
    )
    draft.edit({ investment: plan.targetInvestmentValue, followsValue: false })
    return await startFrom(
      [...starts, ...cashStart(plan.cashTargetPercentage)],
      "Targets set to what is left of the advice",
    )
  } catch (error) {
    toastCentre.error(messageOf(error, "The follow-up could not be drafted."))
    return false
  }
}
