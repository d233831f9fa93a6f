import { messageOf } from "@/api/client"
import { today } from "@/lib/dates"
import { Button } from "@/ui/button"
import { Actions } from "@/ui/confirm"
import { Field } from "@/ui/fields"
import { MoneyField } from "@/ui/number-fields"
import { Modal } from "@/ui/modal"
import { toast } from "@/ui/toast"
import { useZodForm } from "@/ui/use-zod-form"
import * as z from "zod/mini"
import { useSetStartingCapital, useSetStartingDate } from "./queries"

const fallback = "Something went wrong"

interface EditProps {
  clientId: string
  onClose: () => void
}

const dateSchema = z.object({
  startingDate: z.iso
    .date("Please select a valid date")
    .check(z.refine((day) => day <= today(), "Please select a valid date")),
})

/** The day that a client's figures start from. */
export function EditStartingDate({
  clientId,
  startedFrom,
  onClose,
}: EditProps & { startedFrom: string | null }) {
  const save = useSetStartingDate(clientId)
  const form = useZodForm(
    dateSchema,
    ({ startingDate }) =>
      save.mutateAsync(startingDate, {
        onSuccess: onClose,
        onError: (error) => toast.error(messageOf(error, fallback)),
      }),
    { startingDate: startedFrom ?? "" },
  )
  return (
    <Modal title="Select Date" isOpen onClose={onClose} isDirty={form.isDirty} width={340}>
      <form onSubmit={form.onSubmit} noValidate>
        <Field
          label="Starting From"
          type="date"
          max={today()}
          data-autofocus
          description="Cash flows before this day stop counting."
          {...form.field("startingDate")}
        />
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

const capitalSchema = z.object({
  amount: z
    .number("Please enter a valid amount")
    .check(z.minimum(0, "Please enter a valid amount")),
})

/** What a client began with, in rupees. */
export function EditStartingCapital({
  clientId,
  startingCapital,
  onClose,
}: EditProps & { startingCapital: number }) {
  const save = useSetStartingCapital(clientId)
  const form = useZodForm(
    capitalSchema,
    ({ amount }) =>
      save.mutateAsync(amount, {
        onSuccess: onClose,
        onError: (error) => toast.error(messageOf(error, fallback)),
      }),
    { amount: startingCapital },
  )
  return (
    <Modal title="Edit" isOpen onClose={onClose} isDirty={form.isDirty} width={340}>
      <form onSubmit={form.onSubmit} noValidate>
        <MoneyField label="Starting Capital" data-autofocus {...form.field("amount")} />
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
