import { Modal } from "@mantine/core"
import { Button } from "@/ui/button"
import { Actions, type AskedQuestion } from "./confirm"
import styles from "./confirm.module.css"
import { useFocusReturn } from "./use-focus-return"

/** The question of `confirm`, on top of whatever is open. */
export default function ConfirmDialog({ question }: { question: AskedQuestion }) {
  const { title, text, act = "OK", isDanger = false, answer } = question
  useFocusReturn()
  return (
    <Modal.Root
      opened
      onClose={() => answer(false)}
      size={400}
      transitionProps={{ duration: 0 }}
      yOffset="14vh"
      zIndex={400}
    >
      <Modal.Overlay backgroundOpacity={1} color="var(--veil)" />
      <Modal.Content>
        <Modal.Header role="none">
          <Modal.Title>{title}</Modal.Title>
        </Modal.Header>
        <Modal.Body>
          {text !== undefined && <div className={styles.text}>{text}</div>}
          <Actions>
            <Button onClick={() => answer(false)}>Cancel</Button>
            <Button kind={isDanger ? "danger" : "primary"} onClick={() => answer(true)}>
              {act}
            </Button>
          </Actions>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}
