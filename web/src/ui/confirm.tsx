import { Modal } from "@mantine/core"
import { useSyncExternalStore } from "react"
import { createStore } from "@/lib/store"
import { Button } from "./button"
import styles from "./confirm.module.css"

interface Question {
  title: string
  text?: React.ReactNode
  /** The word on the button that goes on; "OK" as the specification has it. */
  act?: string
  isDanger?: boolean
}

interface Asked extends Question {
  answer: (isSure: boolean) => void
}

const asked = createStore<Asked | null>(null)

/** Asks before something that cannot be taken back; true when the person goes on. */
export const confirm = (question: Question) =>
  new Promise<boolean>((resolve) => {
    asked.get()?.answer(false)
    asked.set({
      ...question,
      answer: (isSure) => {
        asked.set(null)
        resolve(isSure)
      },
    })
  })

/** Where `confirm` shows its question; stands once in the app. */
export function ConfirmHost() {
  const question = useSyncExternalStore(asked.subscribe, asked.get)
  if (!question) return null
  const { title, text, act = "OK", isDanger = false, answer } = question
  return (
    <Modal.Root
      opened
      onClose={() => answer(false)}
      size={400}
      transitionProps={{ duration: 0 }}
      yOffset="14vh"
      zIndex={400}
      role="alertdialog"
    >
      <Modal.Overlay backgroundOpacity={1} color="var(--veil)" />
      <Modal.Content>
        <Modal.Header>
          <Modal.Title>{title}</Modal.Title>
        </Modal.Header>
        <Modal.Body>
          {text !== undefined && <div className={styles.text}>{text}</div>}
          <div className={styles.buttons}>
            <Button onClick={() => answer(false)}>Cancel</Button>
            <Button kind={isDanger ? "danger" : "primary"} onClick={() => answer(true)}>
              {act}
            </Button>
          </div>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

/** The row of buttons at the foot of a dialog or a form. */
export function Actions({ children }: { children: React.ReactNode }) {
  return <div className={styles.buttons}>{children}</div>
}
