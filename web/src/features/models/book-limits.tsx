import { useQuery } from "@tanstack/react-query"
import { messageOf } from "@/api/client"
import { useSession } from "@/api/use-session"
import { Button } from "@/ui/button"
import { Actions } from "@/ui/overlay/confirm"
import { Field } from "@/ui/form/fields"
import { Modal } from "@/ui/overlay/modal"
import { ErrorNote, Loading } from "@/ui/states"
import { toast } from "@/ui/overlay/toast"
import { useZodForm } from "@/ui/form/use-zod-form"
import * as z from "zod/mini"
import { bookLimitsQuery, useChangeLimits } from "./book-queries"
import styles from "./models.module.css"
import type { BookLimits } from "./types"

/** How old what is computed from may be, and what is near enough; the firm's own limits. */
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
  const isAdmin = useSession("role") === "ADMIN"
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
          onError: (error) => toast.error(messageOf(error, "Something went wrong")),
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
      <form className={styles.form} onSubmit={form.onSubmit} noValidate>
        <Field
          label="Holdings at most, in business days"
          inputMode="numeric"
          readOnly={!isAdmin}
          data-autofocus
          description="Older ones make a client stale: nothing is sent."
          {...form.field("holdingsDays")}
        />
        <Field
          label="Prices at most, in minutes"
          inputMode="numeric"
          readOnly={!isAdmin}
          description="Older ones are refused at Send, and are computed again."
          {...form.field("priceMinutes")}
        />
        <Field
          label="Tolerance, in percent"
          inputMode="decimal"
          readOnly={!isAdmin}
          description="A client whose largest drift is under it is left alone."
          {...form.field("tolerancePercentage")}
        />
        <Actions>
          <Button onClick={onClose}>{isAdmin ? "Cancel" : "Close"}</Button>
          {isAdmin && (
            <Button kind="primary" type="submit" isBusy={form.isSaving}>
              Save
            </Button>
          )}
        </Actions>
      </form>
    </Modal>
  )
}
