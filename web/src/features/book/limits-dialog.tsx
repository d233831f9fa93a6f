import { useQuery } from "@tanstack/react-query"
import { toastError } from "@/parts/toast-error"
import { DialogForm } from "@/ui/form/dialog-form"
import { Field } from "@/ui/form/fields"
import { Modal } from "@/ui/overlay/modal"
import { ErrorNote, Loading } from "@/ui/states"
import { toast } from "@/ui/overlay/toast"
import { useZodForm } from "@/ui/form/use-zod-form"
import * as z from "zod/mini"
import { bookLimitsQuery, useChangeLimits } from "./queries"
import type { BookLimits } from "./types"

/** The firm's limits for a rebalance: maximum ages of holdings and prices, and the tolerance. */
export function BookLimitsDialog({ onClose }: { onClose: () => void }) {
  const { data: limits, isError, refetch } = useQuery(bookLimitsQuery)
  if (limits) return <LimitsForm limits={limits} onClose={onClose} />
  return (
    <Modal title="Limits" isOpen onClose={onClose} width={400}>
      {isError ? <ErrorNote message="Failed to fetch data" onRetry={refetch} /> : <Loading />}
    </Modal>
  )
}

const whole = (message: string, least: number, most: number) =>
  z
    .pipe(z.string().check(z.regex(/^\d{1,5}$/, message)), z.transform(Number))
    .check(z.refine((number) => number >= least && number <= most, message))
const schema = z.object({
  holdingsDays: whole("1 to 30 business days", 1, 30),
  priceMinutes: whole("1 to 1440 minutes", 1, 1440),
  tolerancePercentage: z.pipe(
    z.string().check(z.regex(/^\d{1,2}(\.\d{1,2})?$/, "0 to 99.99 percent")),
    z.transform(Number),
  ),
})

function LimitsForm({ limits, onClose }: { limits: BookLimits; onClose: () => void }) {
  const change = useChangeLimits()
  const form = useZodForm(
    schema,
    (values) =>
      change.mutateAsync(
        { ...values, version: limits.version },
        {
          onSuccess: () => {
            toast.success("Limits saved")
            onClose()
          },
          onError: toastError,
        },
      ),
    {
      holdingsDays: String(limits.holdingsDays),
      priceMinutes: String(limits.priceMinutes),
      tolerancePercentage: String(limits.tolerancePercentage),
    },
  )
  return (
    <Modal title="Limits" isOpen onClose={onClose} isDirty={form.isDirty} width={400}>
      <DialogForm isBusy={form.isSaving} onSubmit={form.onSubmit} onCancel={onClose}>
        <Field
          label="Maximum age of holdings (business days)"
          inputMode="numeric"
          data-autofocus
          description="Clients with older holdings are not sent advice."
          {...form.field("holdingsDays")}
        />
        <Field
          label="Maximum age of prices (minutes)"
          inputMode="numeric"
          description="With older prices a rebalance must be computed again before it is sent."
          {...form.field("priceMinutes")}
        />
        <Field
          label="Tolerance (percent)"
          inputMode="decimal"
          description="Clients whose largest drift is below this are skipped."
          {...form.field("tolerancePercentage")}
        />
      </DialogForm>
    </Modal>
  )
}
