import { useState, useSyncExternalStore } from "react"
import { approvalOffer, type Asked } from "@/api/approval"
import { messageOf, newIdempotencyKey } from "@/api/client"
import { DialogForm } from "@/ui/form/dialog-form"
import { TextField } from "@/ui/form/fields"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import { ErrorNote } from "@/ui/states"
import { useAsk } from "./queries"

const LONGEST_NOTE = 300

/** Asks for the approval that a refused call needs, while there is such a refusal. */
export default function AskForApproval() {
  const asked = useSyncExternalStore(
    approvalOffer.subscribe,
    approvalOffer.get,
    approvalOffer.initial,
  )
  return asked && <AskDialog asked={asked} onClose={() => approvalOffer.set(null)} />
}

function AskDialog({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const [note, setNote] = useState("")
  const [key] = useState(newIdempotencyKey)
  const ask = useAsk()
  const submit = () =>
    ask.mutate(
      { asked, note: note.trim(), key },
      {
        onSuccess: ({ data }) => {
          toast.success("The approval was asked for.", { detail: data.about })
          onClose()
        },
      },
    )
  return (
    <Modal title="A second administrator must approve this" isOpen onClose={onClose} width={480}>
      <DialogForm
        submitLabel="Ask for approval"
        isBusy={ask.isPending}
        onSubmit={submit}
        onCancel={onClose}
      >
        <p>
          The other administrators are mailed. You are mailed when one of them has decided; the
          request waits for 24 hours under Approvals.
        </p>
        <TextField
          label="Note for them"
          placeholder="Why now? Optional"
          minRows={2}
          maxLength={LONGEST_NOTE}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        {ask.isError && (
          <ErrorNote message={messageOf(ask.error, "The approval could not be asked for.")} />
        )}
      </DialogForm>
    </Modal>
  )
}
