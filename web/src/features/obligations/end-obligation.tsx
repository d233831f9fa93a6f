import { useState } from "react"
import { today } from "@/lib/dates"
import { toastError } from "@/parts/toast-error"
import { DateField } from "@/ui/form/date-field"
import { DialogForm } from "@/ui/form/dialog-form"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import { useEndObligation } from "./queries"

/** Ends an obligation from a day on; what was due before stays. */
export function EndObligation({ id, onClose }: { id: string; onClose: () => void }) {
  const [day, setDay] = useState<string>(today())
  const end = useEndObligation(id)
  const save = () =>
    end.mutate(day, {
      onSuccess: (message) => {
        toast.success(message)
        onClose()
      },
      onError: toastError,
    })
  return (
    <Modal title="End the obligation" isOpen onClose={onClose}>
      <DialogForm submitLabel="End" isBusy={end.isPending} onSubmit={save} onCancel={onClose}>
        <p>It is due no more from this day on. What was due before it stays as it is.</p>
        <DateField label="From" value={day} min={today()} onChange={setDay} />
      </DialogForm>
    </Modal>
  )
}
