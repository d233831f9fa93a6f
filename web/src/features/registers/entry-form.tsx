import { type SyntheticEvent, useState } from "react"
import { useActKey } from "@/api/act-key"
import { toastError } from "@/parts/toast-error"
import { DialogForm } from "@/ui/form/dialog-form"
import { refusesFields } from "@/ui/form/use-zod-form"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import { EntryField } from "./entry-field"
import type { Draft, FieldSpec } from "./fields"

export interface FormSpec {
  title: string
  fields: FieldSpec[]
  initial: Draft
  submitLabel?: string
  /** Sends the draft; `key` is that of its body. Rejects with what the server refuses. */
  save: (draft: Draft, keyOf: (body: unknown) => string) => Promise<unknown>
  /** Said when it is saved. */
  done: string
}

interface EntryFormProps extends FormSpec {
  onClose: () => void
}

/** The form of an entry: its fields as data, and at each what the server says of it. */
export function EntryForm(props: EntryFormProps) {
  const { title, fields, initial, submitLabel, save, done, onClose } = props
  const [draft, setDraft] = useState(initial)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const [isBusy, setIsBusy] = useState(false)
  const keyOf = useActKey()
  const shown = fields.filter((field) => field.isShown?.(draft) ?? true)
  const isDirty = Object.keys(draft).some((name) => draft[name] !== initial[name])

  const focusFirst = (form: HTMLFormElement) =>
    requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid='true']")?.focus())
  const submit = async (event: SyntheticEvent<HTMLFormElement>) => {
    const form = event.currentTarget
    const missing = shown.filter((field) => !field.isOptional && !draft[field.name]?.trim())
    setFaults(Object.fromEntries(missing.map(({ name, label }) => [name, `${label} is required`])))
    if (missing.length > 0) {
      focusFirst(form)
      return
    }
    if (isBusy) return
    setIsBusy(true)
    try {
      await save(draft, keyOf)
      toast.success(done)
      onClose()
    } catch (error) {
      const known = refusesFields(error)
        ? error.errors.filter(({ field }) => shown.some(({ name }) => name === field))
        : []
      if (known.length === 0) toastError(error)
      setFaults(Object.fromEntries(known.map(({ field, message }) => [field, message])))
      focusFirst(form)
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Modal title={title} isOpen isDirty={isDirty} onClose={onClose} width={520}>
      <DialogForm
        submitLabel={submitLabel}
        isBusy={isBusy}
        onSubmit={(event) => void submit(event)}
        onCancel={onClose}
      >
        {shown.map((field) => (
          <EntryField
            key={field.name}
            field={field}
            draft={draft}
            error={faults[field.name]}
            onChange={(change) => {
              setFaults((old) => ({ ...old, [field.name]: "" }))
              setDraft((old) => ({ ...old, ...change }))
            }}
          />
        ))}
      </DialogForm>
    </Modal>
  )
}
