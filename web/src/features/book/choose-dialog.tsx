import { useState } from "react"
import { DialogForm } from "@/ui/form/dialog-form"
import { Field } from "@/ui/form/fields"
import { Modal } from "@/ui/overlay/modal"

interface ChooseDialogProps {
  /** "Asha Rao", "12 clients". */
  who: string
  isIncluded: boolean
  /** Why the client is not ready, when one is included. */
  warning?: string
  isBusy: boolean
  onClose: () => void
  onChoose: (note: string) => void
}

/** Asks for the reason to leave a client out, or to include one whose tile is not "Ready". */
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
      <DialogForm
        submitLabel={isIncluded ? "Include" : "Leave out"}
        isBusy={isBusy}
        onSubmit={choose}
        onCancel={onClose}
      >
        {warning !== undefined && <p>{warning}</p>}
        <Field
          label="Reason"
          placeholder={isIncluded ? "Funds are on their way" : "Asked to wait until Diwali"}
          maxLength={300}
          data-autofocus
          value={note}
          error={isTried && note.trim() === "" ? "A reason is required" : undefined}
          description="This is saved with the rebalance."
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </DialogForm>
    </Modal>
  )
}
