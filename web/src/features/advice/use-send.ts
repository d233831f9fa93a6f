import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { ApiError, messageOf, newIdempotencyKey } from "@/api/client"
import { toastCentre } from "@/ui/toast"
import { type Advice, type AdviceDraft, draft } from "./draft"
import { rebalances, sendMarked } from "./queries"

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
      draft.reset()
      void cache.invalidateQueries({ queryKey: ["advice"], predicate: isHistory })
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

const isHistory = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[1] !== rebalances[1]

/** Advice can be sent when nothing of before waits for its answer. */
export const maySend = (advice: AdviceDraft) => advice.sending === null
