import { useEffect, useRef } from "react"
import { count } from "@/lib/format"
import { Button } from "@/ui/button"
import { Actions } from "@/ui/overlay/confirm"
import { TextField } from "@/ui/form/fields"

const LONGEST = 2000
/** The remaining length is shown from here on. */
const TELL_FROM = 1800

interface RemarkFormProps {
  label: string
  text: string
  /** The saved text. */
  before?: string
  isSaving: boolean
  onType: (text: string) => void
  onSave: (text: string) => void
  onCancel: () => void
}

/** Only a text that is not blank is saved; a blank one cancels. Ctrl Enter saves, Escape cancels. */
export function RemarkForm(props: RemarkFormProps) {
  const { label, text, before = "", isSaving, onType, onSave, onCancel } = props
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const field = form.current?.querySelector("textarea")
    field?.focus()
    field?.setSelectionRange(field.value.length, field.value.length)
  }, [])

  const save = () => {
    if (isSaving) return
    const written = text.trim()
    if (written === "" || written === before) onCancel()
    else onSave(written)
  }
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <TextField
        label={label}
        value={text}
        maxLength={LONGEST}
        description={
          text.length >= TELL_FROM
            ? `${count(text.length)} of ${count(LONGEST)} characters`
            : undefined
        }
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save()
          if (event.key === "Escape" && !isSaving) onCancel()
        }}
      />
      <Actions>
        <Button disabled={isSaving} onClick={onCancel}>
          Cancel
        </Button>
        <Button kind="primary" type="submit" isBusy={isSaving}>
          Save
        </Button>
      </Actions>
    </form>
  )
}
