import * as z from "zod/mini"
import { today } from "@/lib/dates"
import { toastError } from "@/parts/toast-error"
import { DateField } from "@/ui/form/date-field"
import { DialogForm } from "@/ui/form/dialog-form"
import { Field, SelectField, TextField } from "@/ui/form/fields"
import { refusesFields, useZodForm } from "@/ui/form/use-zod-form"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import { type Kyc, type KycStatus, useSetKyc } from "./queries"
import { kycStatuses } from "./words"

const schema = z.object({
  pan: z.string().check(z.trim()),
  status: z.enum(Object.keys(kycStatuses) as [KycStatus, ...KycStatus[]]),
  statusOn: z.string(),
  note: z.string().check(z.trim()),
})

interface KycFormProps {
  clientId: string
  kyc: Kyc
  onClose: () => void
}

/** The dialog of a client's KYC; what is wrong with a field is the server's to say. */
export function KycForm({ clientId, kyc, onClose }: KycFormProps) {
  const save = useSetKyc(clientId)
  const form = useZodForm(
    schema,
    ({ statusOn, ...values }) =>
      save.mutateAsync(
        {
          ...values,
          statusOn: values.status === "NOT_DONE" ? null : statusOn || null,
          version: kyc.version,
        },
        {
          onSuccess: () => {
            toast.success("KYC saved")
            onClose()
          },
          onError: (error) => {
            if (!refusesFields(error) || error.errors.length === 0) toastError(error)
          },
        },
      ),
    { pan: kyc.pan, status: kyc.status, statusOn: kyc.statusOn ?? "", note: kyc.note },
  )
  return (
    <Modal title="Edit KYC" isOpen isDirty={form.isDirty} onClose={onClose} width={440}>
      <DialogForm isBusy={form.isSaving} onSubmit={form.onSubmit} onCancel={onClose}>
        <Field
          label="PAN"
          placeholder="ABCPK1234F"
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          maxLength={20}
          data-autofocus
          {...form.field("pan")}
        />
        <SelectField label="KRA status" options={kycStatuses} {...form.field("status")} />
        {form.values.status !== "NOT_DONE" && (
          <DateField label="Since" max={today()} {...form.field("statusOn")} />
        )}
        <TextField label="Note (optional)" maxLength={2000} {...form.field("note")} />
      </DialogForm>
    </Modal>
  )
}
