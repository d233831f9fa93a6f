import { lazy, type ReactNode, Suspense, useSyncExternalStore } from "react"
import { createStore } from "@/lib/store"
import styles from "./confirm.module.css"

const Dialog = lazy(() => import("./confirm-dialog"))

export interface Question {
  title: string
  text?: ReactNode
  /** The word on the button that goes on; "OK" as the specification has it. */
  act?: string
  isDanger?: boolean
}

export interface AskedQuestion extends Question {
  answer: (isSure: boolean) => void
}

/** The question that waits for its answer. */
export const pendingQuestion = createStore<AskedQuestion | null>(null)

/** Asks before something that cannot be taken back; true when the person goes on. */
export const confirm = (question: Question) =>
  new Promise<boolean>((resolve) => {
    pendingQuestion.get()?.answer(false)
    pendingQuestion.set({
      ...question,
      answer: (isSure) => {
        pendingQuestion.set(null)
        resolve(isSure)
      },
    })
  })

/** Where `confirm` shows its question; used once in the app. The dialog is loaded with the first question. */
export function ConfirmHost() {
  const { subscribe, get, initial } = pendingQuestion
  const question = useSyncExternalStore(subscribe, get, initial)
  return (
    question && (
      <Suspense>
        <Dialog question={question} />
      </Suspense>
    )
  )
}

/** The row of buttons at the foot of a dialog or a form. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className={styles.buttons}>{children}</div>
}
