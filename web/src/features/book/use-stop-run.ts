import { count } from "@/lib/format"
import { toastCentreError } from "@/parts/toast-error"
import { confirm } from "@/ui/overlay/confirm"
import { useCancelRun } from "./queries"
import type { Run } from "./types"

/** Cancels a run after a question; during the sending only what is not yet sent is stopped. */
export function useStopRun(run: Run) {
  const cancel = useCancelRun(run._id)
  return async () => {
    const isSending = run.state === "SENDING"
    const isSure = await confirm({
      title: isSending ? "Stop sending?" : "Cancel this rebalance?",
      text: isSending
        ? `${count(run.sending.sent)} of ${count(run.sending.total)} are already sent. The others will not be sent.`
        : "No advice will be sent.",
      act: isSending ? "Stop" : "Cancel rebalance",
      isDanger: true,
    })
    if (!isSure) return
    cancel.mutate(undefined, { onError: toastCentreError })
  }
}
