import { createStore } from "@/lib/store"

/** The code of a refusal that a fresh proof of who is signed in turns into an answer. */
export const STEP_UP = "STEP_UP_REQUIRED"

interface Pending {
  answer: (isProved: boolean) => void
}

/** The proof that is asked for; null while none is. */
export const pendingStepUp = createStore<Pending | null>(null)

let asked: Promise<boolean> | null = null

/** Asks the person to prove who they are; true once they did. Calls at the same time share one dialog. */
export function askStepUp(): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    pendingStepUp.set({
      answer: (isProved) => {
        asked = null
        pendingStepUp.set(null)
        resolve(isProved)
      },
    })
  })
  return asked
}
