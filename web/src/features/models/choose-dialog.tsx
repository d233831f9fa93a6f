import { useState } from "react"
import { Button } from "@/ui/button"
import { Actions } from "@/ui/overlay/confirm"
import { Field } from "@/ui/form/fields"
import { Modal } from "@/ui/overlay/modal"
import styles from "./models.module.css"

interface ChooseDialogProps {
  /** Whom it is about: "Asha Rao", "12 clients". */
  who: string
  /** What is asked for: to be sent, or to be left out. */
  isIncluded: boolean
  /** Why the client is not simply ready, where one is taken in. */
  warning?: string
  isBusy: boolean
  onClose: () => void
  onChoose: (note: string) => void
}

/** Leaving out wants a reason; so does sending to somebody whose tile is not "Ready". */
export function ChooseDialog(props: ChooseDialogProps) {
  const { who, isIncluded, warning, isBusy, onClose, onChoose } = props
  const [note, setNote] = useState("")
  const [isTried, setIsTried] = useState(false)
  const choose = () => {
    setIsTried(true)
    if (note.trim() !== "") onChoose(note.trim())
  }
  return (
    <Modal
      title={isIncluded ? `Include ${who}` : `Leave out ${who}`}
      isOpen
      onClose={onClose}
      isDirty={note !== ""}
    >
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          choose()
        }}
      >
        {warning !== undefined && <p>{warning}</p>}
        <Field
          label="Reason"
          placeholder={isIncluded ? "Funds are on their way" : "Asked to wait until Diwali"}
          maxLength={300}
          data-autofocus
          value={note}
          error={isTried && note.trim() === "" ? "A reason is required" : undefined}
          description="It stands in the record of this rebalance."
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {isIncluded ? "Include" : "Leave out"}
          </Button>
        </Actions>
      </form>
    </Modal>
  )
}
