import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { ApiError, messageOf } from "@/api/client"
import { date, today } from "@/lib/dates"
import { rupees } from "@/lib/format"
import { DialogForm } from "@/ui/form/dialog-form"
import { DateField } from "@/ui/form/date-field"
import { MoneyField } from "@/ui/form/number-fields"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import { useZodForm } from "@/ui/form/use-zod-form"
import * as z from "zod/mini"
import { amountField, pastDayField } from "./account-fields"
import { portfolioQuery, useSetStartingCapital, useSetStartingDate } from "./queries"

interface EditProps {
  clientId: string
  /** The version of the account when the dialog was opened. */
  version: number | null
  onClose: () => void
}

/** The version that is saved with; after a conflict the newest one is read, so that saving again overwrites it. */
function useSeenVersion(clientId: string, version: number | null) {
  const cache = useQueryClient()
  const [seen, setSeen] = useState(version)
  const onRefused = async (error: unknown) => {
    let detail: string | undefined
    if (error instanceof ApiError && error.status === 409) {
      await cache.refetchQueries({ queryKey: portfolioQuery(clientId).queryKey })
      const newest = cache.getQueryData(portfolioQuery(clientId).queryKey)
      if (newest && newest.version !== seen) {
        setSeen(newest.version)
        detail = `Someone changed it to ${date(newest.startedFrom)} with ${rupees(newest.startingCapital)}. Save again to overwrite.`
      }
    }
    toast.error(messageOf(error, "Something went wrong"), { detail })
  }
  return { seen, onRefused }
}

const dateSchema = z.object({ startingDate: pastDayField })

/** Edits the day from which a client's figures count. */
export function EditStartingDate({
  clientId,
  version,
  startedFrom,
  onClose,
}: EditProps & { startedFrom: string | null }) {
  const save = useSetStartingDate(clientId)
  const { seen, onRefused } = useSeenVersion(clientId, version)
  const form = useZodForm(
    dateSchema,
    ({ startingDate }) =>
      save.mutateAsync(
        { startingDate, version: seen },
        { onSuccess: onClose, onError: (error) => void onRefused(error) },
      ),
    { startingDate: startedFrom ?? "" },
  )
  return (
    <Modal title="Select Date" isOpen onClose={onClose} isDirty={form.isDirty} width={340}>
      <DialogForm isBusy={form.isSaving} onSubmit={form.onSubmit} onCancel={onClose}>
        <DateField
          label="Starting From"
          max={today()}
          data-autofocus
          description="Cash flows before this day are not counted."
          {...form.field("startingDate")}
        />
      </DialogForm>
    </Modal>
  )
}

const capitalSchema = z.object({ amount: amountField })

interface EditCapitalProps extends EditProps {
  startingCapital: number
  /** Suggested while no capital is entered. */
  holdingsCost: number
}

/** Edits what a client started with, in rupees. */
export function EditStartingCapital({
  clientId,
  version,
  startingCapital,
  holdingsCost,
  onClose,
}: EditCapitalProps) {
  const save = useSetStartingCapital(clientId)
  const cost = Math.round(holdingsCost * 100) / 100
  const isSuggested = startingCapital === 0 && cost > 0
  const { seen, onRefused } = useSeenVersion(clientId, version)
  const form = useZodForm(
    capitalSchema,
    ({ amount }) =>
      save.mutateAsync(
        { amount, version: seen },
        { onSuccess: onClose, onError: (error) => void onRefused(error) },
      ),
    { amount: isSuggested ? cost : startingCapital },
  )
  return (
    <Modal title="Edit" isOpen onClose={onClose} isDirty={form.isDirty} width={340}>
      <DialogForm isBusy={form.isSaving} onSubmit={form.onSubmit} onCancel={onClose}>
        <MoneyField
          label="Starting Capital"
          data-autofocus
          description={isSuggested ? `Suggested: the holdings cost ${rupees(cost)}.` : undefined}
          {...form.field("amount")}
        />
      </DialogForm>
    </Modal>
  )
}
