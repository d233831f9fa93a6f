import * as z from "zod/mini"
import { today } from "@/lib/dates"
import { consentKinds } from "@/parts/consent-kinds"
import { toastError } from "@/parts/toast-error"
import { DateField } from "@/ui/form/date-field"
import { DialogForm } from "@/ui/form/dialog-form"
import { TextField } from "@/ui/form/fields"
import { refusesFields, useZodForm } from "@/ui/form/use-zod-form"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import { type ConsentText, useAddConsentText } from "./consent-text-queries"

const LONGEST = 50_000

const schema = z.object({
  effectiveOn: z.string().check(z.minLength(1, "Please select a valid date")),
  text: z.string().check(z.trim(), z.minLength(1, "Enter the text in English.")),
  textHi: z.string().check(z.trim()),
})

/** A new version of a text; it begins as the newest one. */
export function ConsentTextForm({ text, onClose }: { text: ConsentText; onClose: () => void }) {
  const add = useAddConsentText()
  const newest = text.versions[0]
  const form = useZodForm(
    schema,
    (values) =>
      add.mutateAsync(
        { kind: text.kind, ...values },
        {
          onSuccess: () => {
            toast.success("Version saved")
            onClose()
          },
          onError: (error) => {
            if (!refusesFields(error) || error.errors.length === 0) toastError(error)
          },
        },
      ),
    {
      effectiveOn: newest ? "" : today(),
      text: newest?.text ?? "",
      textHi: newest?.textHi ?? "",
    },
  )
  return (
    <Modal
      title={`${consentKinds[text.kind]}: version ${(newest?.number ?? 0) + 1}`}
      isOpen
      isDirty={form.isDirty}
      onClose={onClose}
      width={680}
    >
      <DialogForm isBusy={form.isSaving} onSubmit={form.onSubmit} onCancel={onClose}>
        <DateField
          label="In force from"
          description="Clients are asked from this day on. A version that is saved is not changed."
          min={newest ? today() : undefined}
          {...form.field("effectiveOn")}
        />
        <TextField
          label="Text in English"
          minRows={10}
          maxLength={LONGEST}
          {...form.field("text")}
        />
        <TextField
          label="Text in Hindi (optional)"
          minRows={6}
          maxLength={LONGEST}
          {...form.field("textHi")}
        />
      </DialogForm>
    </Modal>
  )
}
