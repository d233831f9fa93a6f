import { useNavigate } from "@tanstack/react-router"
import { useActKey } from "@/api/act-key"
import { messageOf } from "@/api/client"
import { toastCentre } from "@/ui/overlay/toast"
import { useStartRun } from "./book-queries"
import type { Run } from "./types"

/** Computes the same again at the prices of now; who was left out by hand stays left out. */
export function useRecompute(run: Run) {
  const navigate = useNavigate()
  const begin = useStartRun()
  const keyOf = useActKey()
  const start = () => {
    const body = {
      modelId: run.modelId,
      versionId: run.versionId,
      tolerancePercentage: run.tolerancePercentage,
      outside: run.outside,
      options: run.options,
      after: run._id,
    }
    begin.mutate(
      { body, key: keyOf(body) },
      {
        onSuccess: ({ _id: runId }) =>
          void navigate({ to: "/home/models/book/$runId", params: { runId } }),
        onError: (error) => toastCentre.error(messageOf(error, "Something went wrong")),
      },
    )
  }
  return { start, isPending: begin.isPending }
}
