import { type SyntheticEvent, useState } from "react"
import { useActKey } from "@/api/act-key"
import { toastError } from "@/parts/toast-error"
import { DialogForm } from "@/ui/form/dialog-form"
import { refusesFields } from "@/ui/form/use-zod-form"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import {
  entryBody,
  entryDraft,
  type EntryDraft,
  type EntryFaults,
  entryFaults,
  type EntryStock,
} from "./entry-draft"
import { EntryFields } from "./entry-fields"
import { type Entry, useSaveEntry } from "./queries"

interface EntryFormProps {
  clientId: string
  /** The stock of the row from which the dialog was opened; null to choose one. */
  stock: EntryStock | null
  /** The entry that is changed; null for a new one. */
  edited: Entry | null
  onClose: () => void
}

/** Enters shares that came or went without a known trade, or changes such an entry. */
export function EntryForm({ clientId, stock, edited, onClose }: EntryFormProps) {
  const [initial] = useState(() => entryDraft(stock, edited))
  const [draft, setDraft] = useState(initial)
  const [faults, setFaults] = useState<EntryFaults>({})
  const save = useSaveEntry(clientId)
  const keyOf = useActKey()
  const change = (next: Partial<EntryDraft>) => {
    setFaults({})
    setDraft((old) => ({ ...old, ...next }))
  }
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    const found = entryFaults(draft)
    const form = event.currentTarget
    setFaults(found)
    if (Object.keys(found).length > 0) {
      requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid='true']")?.focus())
      return
    }
    if (save.isPending) return
    const body = entryBody(draft)
    save.mutate(
      { id: edited?._id ?? null, body, key: keyOf(body) },
      {
        onSuccess: () => {
          toast.success("Lot saved")
          onClose()
        },
        onError: (error) => {
          if (!refusesFields(error) || error.errors.length === 0) toastError(error)
          else setFaults(Object.fromEntries(error.errors.map((each) => [each.field, each.message])))
        },
      },
    )
  }
  return (
    <Modal
      title={edited === null ? "Enter lot" : "Edit lot"}
      isOpen
      onClose={onClose}
      isDirty={draft !== initial}
      width={480}
    >
      <DialogForm isBusy={save.isPending} onSubmit={submit} onCancel={onClose}>
        <EntryFields
          draft={draft}
          faults={faults}
          isStockFixed={stock !== null}
          onChange={change}
        />
      </DialogForm>
    </Modal>
  )
}
