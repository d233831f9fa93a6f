import { queryOptions } from "@tanstack/react-query"
import { answerOf, api, dataOf } from "@/api/client"
import { fileOf, type SheetFormat } from "@/api/files"
import type { components } from "@/api/schema"
import { type Range, today } from "@/lib/dates"

export type SentAdvice = components["schemas"]["AdviceRow"]
/** One stock of an advice. */
export type AdvisedStock = components["schemas"]["StockOfAdvice"]

/** Advices on a page. */
export const PAGE = 20

/** One page of the advice sent to a client in this date range (Indian time), newest first. */
export const adviceHistoryQuery = (clientId: string, range: Range | null, page: number) =>
  queryOptions({
    queryKey: ["clients", clientId, "advice", range, page],
    queryFn: () =>
      answerOf(
        api.GET("/admin/advice/clients/{client_id}", {
          params: {
            path: { client_id: clientId },
            query: { from: range?.from, to: range?.to, page, limit: PAGE },
          },
        }),
      ),
    // Polls while a mail is queued.
    refetchInterval: ({ state }) => (state.data?.data.some(isQueued) ? 3000 : false),
  })

const isQueued = ({ delivery }: SentAdvice) => delivery?.status === "QUEUED"

/** The export of the history in this date range. */
export const adviceHistoryFile = (clientId: string, range: Range | null, format: SheetFormat) =>
  fileOf(
    api.GET("/admin/advice/clients/{client_id}/export", {
      params: {
        path: { client_id: clientId },
        query: { from: range?.from, to: range?.to, format },
      },
      parseAs: "blob",
    }),
  )

export type VerifiedAdvice = components["schemas"]["VerifiedAdvice"]

/** Verifies the seal of an advice on the server. */
export const verifiedAdvice = (adviceId: string) =>
  dataOf(api.GET("/admin/advice/{advice_id}/verify", { params: { path: { advice_id: adviceId } } }))

/** The sealed advice; it can be verified without this product. */
export const sealedFile = (adviceId: string) =>
  fileOf(
    api.GET("/admin/advice/{advice_id}/sealed.zip", {
      params: { path: { advice_id: adviceId } },
      parseAs: "blob",
    }),
  )

/** The letter as the client got it, and its file name. */
export async function letterOf(advice: SentAdvice, code: string | null) {
  const letter = await answerOf(
    api.GET("/admin/advice/{advice_id}/letter.pdf", {
      params: { path: { advice_id: advice._id } },
      parseAs: "blob",
    }),
  )
  const day = today(new Date(advice.createdAt))
  return { letter, name: ["advice", code, day].filter(Boolean).join("-") + ".pdf" }
}
