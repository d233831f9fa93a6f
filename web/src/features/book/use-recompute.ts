import { useNavigate } from "@tanstack/react-router"
import { useActKey } from "@/api/act-key"
import { toastCentreError } from "@/parts/toast-error"
import { useStartRun } from "./queries"
import type { Run } from "./types"

/** Computes the run again at current prices; clients left out by a person stay left out. */
export function useRecompute(run: Run) {
  const navigate = useNavigate()
  const startRun = useStartRun()
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
    startRun.mutate(
      { body, key: keyOf(body) },
      {
        onSuccess: ({ _id: runId }) =>
          void navigate({ to: "/home/models/book/$runId", params: { runId } }),
        onError: toastCentreError,
      },
    )
  }
  return { start, isPending: startRun.isPending }
}
