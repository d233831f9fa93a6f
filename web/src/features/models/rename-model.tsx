import type { ModelRow } from "@/parts/models"
import { toastError } from "@/parts/toast-error"
import { DialogForm } from "@/ui/form/dialog-form"
import { Field } from "@/ui/form/fields"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import { useZodForm } from "@/ui/form/use-zod-form"
import * as z from "zod/mini"
import { useChangeModel } from "./queries"

const naming = z.object({
  name: z.string().check(z.trim(), z.minLength(1, "Name is required"), z.maxLength(120)),
})

/** Renames all versions of the model; advice that was sent keeps the old name. */
export function RenameModel({ model, onClose }: { model: ModelRow; onClose: () => void }) {
  const change = useChangeModel()
  const form = useZodForm(
    naming,
    ({ name }) =>
      change.mutateAsync(
        { modelId: model._id, version: model.version, name },
        {
          onSuccess: () => {
            toast.success("Model renamed")
            onClose()
          },
          onError: toastError,
        },
      ),
    { name: model.name },
  )
  return (
    <Modal title="Rename model" isOpen onClose={onClose} isDirty={form.isDirty} width={400}>
      <DialogForm isBusy={form.isSaving} onSubmit={form.onSubmit} onCancel={onClose}>
        <Field label="Name" maxLength={120} data-autofocus {...form.field("name")} />
      </DialogForm>
    </Modal>
  )
}
