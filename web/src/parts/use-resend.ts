import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query"
import { useRef } from "react"
import { answerOf, api, messageOf, newIdempotencyKey } from "@/api/client"
import { toast } from "@/ui/overlay/toast"

const resendAdvice = ({ adviceId, key }: { adviceId: string; key: string }) =>
  answerOf(
    api.POST("/admin/advice/{advice_id}/resend", {
      params: { path: { advice_id: adviceId } },
      headers: { "Idempotency-Key": key },
    }),
  )

/**
 * Sends the mail of an advice again that could not be delivered, and refreshes these queries; a
 * second press before the answer reuses the idempotency key.
 */
export function useResend(...refreshed: QueryKey[]) {
  const cache = useQueryClient()
  const keys = useRef(new Map<string, string>())
  const resend = useMutation({
    mutationFn: resendAdvice,
    onSuccess: ({ message }) => toast.success(message ?? ""),
    onError: (error) => toast.error(messageOf(error, "The mail could not be sent again.")),
    onSettled: (answer, _, { adviceId }) => {
      if (answer) keys.current.delete(adviceId)
      return Promise.all(refreshed.map((queryKey) => cache.invalidateQueries({ queryKey })))
    },
  })
  const send = (adviceId: string) => {
    const key = keys.current.get(adviceId) ?? newIdempotencyKey()
    keys.current.set(adviceId, key)
    resend.mutate({ adviceId, key })
  }
  return { send, sending: resend.isPending ? resend.variables.adviceId : null }
}
