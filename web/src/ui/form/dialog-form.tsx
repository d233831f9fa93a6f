import type { ReactNode, SyntheticEvent } from "react"
import { Button } from "@/ui/button"
import { Actions } from "@/ui/overlay/confirm"
import styles from "./dialog-form.module.css"

interface DialogFormProps {
  /** On the button that submits. */
  submitLabel?: ReactNode
  isBusy?: boolean
  isDisabled?: boolean
  onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void
  onCancel: () => void
  children: ReactNode
}

/** The form of a dialog: its fields, then Cancel and the button that submits. */
export function DialogForm(props: DialogFormProps) {
  const { submitLabel = "Save", isBusy, isDisabled, onSubmit, onCancel, children } = props
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(event)
      }}
    >
      {children}
      <Actions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button kind="primary" type="submit" isBusy={isBusy} disabled={isDisabled}>
          {submitLabel}
        </Button>
      </Actions>
    </form>
  )
}
