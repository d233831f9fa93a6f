import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { ApiError, messageOf } from "@/api/client"
import { date, today } from "@/lib/dates"
import { rupees } from "@/lib/format"
import { Button } from "@/ui/button"
import { Actions } from "@/ui/overlay/confirm"
import { Field } from "@/ui/form/fields"
import { MoneyField } from "@/ui/form/number-fields"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import { useZodForm } from "@/ui/form/use-zod-form"
import * as z from "zod/mini"
import { portfolioQuery, useSetStartingCapital, useSetStartingDate } from "./queries"

interface EditProps {
  clientId: string
  /** The state of the account when the dialog was opened. */
  version: number | null
  onClose: () => void
}

/**
 * The state of the account that the person saw, and what is done when a save is refused: after a conflict
 * the newest state is fetched and told, so that saving again is a decision.
 */
function useSeen(clientId: string, version: number | null) {
  const cache = useQueryClient()
  const [seen, setSeen] = useState(version)
  const refused = async (error: unknown) => {
    let detail: string | undefined
    if (error instanceof ApiError && error.status === 409) {
      await cache.refetchQueries({ queryKey: portfolioQuery(clientId).queryKey })
      const newest = cache.getQueryData(portfolioQuery(clientId).queryKey)
      if (newest && newest.version !== seen) {
        setSeen(newest.version)
        detail = `It is now ${date(newest.startedFrom)} with ${rupees(newest.startingCapital)}. Saving again puts yours there.`
      }
    }
    toast.error(messageOf(error, "Something went wrong"), { detail })
  }
  return { seen, refused }
}

const dateSchema = z.object({
  startingDate: z.iso
    .date("Please select a valid date")
    .check(z.refine((day) => day <= today(), "Please select a valid date")),
})

/** The day that a client's figures start from. */
export function EditStartingDate({
  clientId,
  version,
  startedFrom,
  onClose,
}: EditProps & { startedFrom: string | null }) {
  const save = useSetStartingDate(clientId)
  const { seen, refused } = useSeen(clientId, version)
  const form = useZodForm(
    dateSchema,
    ({ startingDate }) =>
      save.mutateAsync(
        { startingDate, version: seen },
        { onSuccess: onClose, onError: (error) => void refused(error) },
      ),
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

interface EditCapitalProps extends EditProps {
  startingCapital: number
  /** What the holdings cost: suggested while no capital is entered. */
  holdingsCost: number
}

/** What a client began with, in rupees. */
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
  const { seen, refused } = useSeen(clientId, version)
  const form = useZodForm(
    capitalSchema,
    ({ amount }) =>
      save.mutateAsync(
        { amount, version: seen },
        { onSuccess: onClose, onError: (error) => void refused(error) },
      ),
    { amount: isSuggested ? cost : startingCapital },
  )
  return (
    <Modal title="Edit" isOpen onClose={onClose} isDirty={form.isDirty} width={340}>
      <form onSubmit={form.onSubmit} noValidate>
        <MoneyField
          label="Starting Capital"
          data-autofocus
          description={isSuggested ? `Suggested: the holdings cost ${rupees(cost)}.` : undefined}
          {...form.field("amount")}
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
