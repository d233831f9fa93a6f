import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useRef } from "react"
import { messageOf, newIdempotencyKey } from "@/api/client"
import { toast } from "@/ui/overlay/toast"
import { resendAdvice } from "./advice-history-queries"

/** Sends a failed mail again; a second press before the answer reuses the idempotency key. */
export function useResend(clientId: string) {
  const cache = useQueryClient()
  const keys = useRef(new Map<string, string>())
  const resend = useMutation({
    mutationFn: resendAdvice,
    onSuccess: ({ message }) => toast.success(message ?? ""),
    onError: (error) => toast.error(messageOf(error, "The mail could not be sent again.")),
    onSettled: (answer, _, { adviceId }) => {
      if (answer) keys.current.delete(adviceId)
      return cache.invalidateQueries({ queryKey: ["clients", clientId, "advice"] })
    },
  })
  const send = (adviceId: string) => {
    const key = keys.current.get(adviceId) ?? newIdempotencyKey()
    keys.current.set(adviceId, key)
    resend.mutate({ adviceId, key })
  }
  return { send, sending: resend.isPending ? resend.variables.adviceId : null }
}
