import { lazy, Suspense, useSyncExternalStore } from "react"
import { pendingStepUp } from "@/api/step-up"

const StepUpDialog = lazy(() => import("@/features/auth/step-up-dialog"))

/** Where a fresh proof is asked for; used once in the app. The dialog is loaded with the first question. */
export function StepUpHost() {
  const { subscribe, get, initial } = pendingStepUp
  const pending = useSyncExternalStore(subscribe, get, initial)
  return (
    pending && (
      <Suspense>
        <StepUpDialog onProved={() => pending.answer(true)} onClose={() => pending.answer(false)} />
      </Suspense>
    )
  )
}
