import { messageOf } from "@/api/client"
import { Button } from "@/ui/button"
import { Actions } from "@/ui/overlay/confirm"
import { Field } from "@/ui/form/fields"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import { useZodForm } from "@/ui/form/use-zod-form"
import * as z from "zod/mini"
import { useChangeModel } from "./queries"
import type { ModelRow } from "./types"

const naming = z.object({
  name: z.string().check(z.trim(), z.minLength(1, "Name is required"), z.maxLength(120)),
})

/** The name stands on every version; what was sent keeps the name of its day. */
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
          onError: (error) => toast.error(messageOf(error, "Something went wrong")),
        },
      ),
    { name: model.name },
  )
  return (
    <Modal title="Rename model" isOpen onClose={onClose} isDirty={form.isDirty} width={400}>
      <form onSubmit={form.onSubmit} noValidate>
        <Field label="Name" maxLength={120} data-autofocus {...form.field("name")} />
        <Actions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={form.isSaving}>
            Save
          </Button>
        </Actions>
      </form>
    </Modal>
  )
}
