import { useState } from "react"
import { toastError } from "@/parts/toast-error"
import { DialogForm } from "@/ui/form/dialog-form"
import { Field, TextField } from "@/ui/form/fields"
import { FileDrop } from "@/ui/form/file-drop"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import { useAddEvidence } from "./queries"

const ENDINGS = ".pdf,.png,.jpg,.jpeg,.xlsx,.xml,.csv,.txt"
const MOST_BYTES = 10 * 2 ** 20

interface EvidenceFormProps {
  id: string
  instance: string
  onClose: () => void
}

/** A file, or a note with the name of who vouches for it; it carries the time at which it is recorded. */
export function EvidenceForm({ id, instance, onClose }: EvidenceFormProps) {
  const [file, setFile] = useState<File | null>(null)
  const [note, setNote] = useState("")
  const [name, setName] = useState("")
  const [fault, setFault] = useState<"note" | "name" | null>(null)
  const [refused, setRefused] = useState("")
  const add = useAddEvidence(id)
  const take = (taken: File) => {
    const isFit = taken.size <= MOST_BYTES
    setRefused(isFit ? "" : "The file is larger than 10 MB. Choose a smaller one.")
    setFile(isFit ? taken : null)
  }
  const save = () => {
    const missing =
      file !== null ? null : note.trim() === "" ? "note" : name.trim() === "" ? "name" : null
    setFault(missing)
    if (missing !== null || add.isPending) return
    add.mutate(
      { instance, name, note, file },
      {
        onSuccess: () => {
          toast.success("Evidence recorded")
          onClose()
        },
        onError: toastError,
      },
    )
  }
  return (
    <Modal
      title="Add evidence"
      isOpen
      isDirty={file !== null || note !== "" || name !== ""}
      onClose={onClose}
    >
      <DialogForm isBusy={add.isPending} onSubmit={save} onCancel={onClose}>
        <FileDrop
          label={file?.name ?? "Choose a file"}
          hint="PDF, picture, workbook, XML or CSV, at most 10 MB"
          accept={ENDINGS}
          onFile={take}
          onRefused={setRefused}
        />
        {refused !== "" && <p role="alert">{refused}</p>}
        <TextField
          label="Note"
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          error={fault === "note" ? "Choose a file, or write a note with a name." : undefined}
        />
        <Field
          label="Name of who vouches for it"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={
            fault === "name" ? "Enter the name of the person who vouches for the note." : undefined
          }
        />
      </DialogForm>
    </Modal>
  )
}
