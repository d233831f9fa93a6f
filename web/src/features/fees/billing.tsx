import { useQuery } from "@tanstack/react-query"
import { toastError } from "@/parts/toast-error"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { Field, SelectField } from "@/ui/form/fields"
import { useZodForm } from "@/ui/form/use-zod-form"
import { Actions } from "@/ui/overlay/confirm"
import { toast } from "@/ui/overlay/toast"
import * as z from "zod/mini"
import styles from "./fees.module.css"
import { type BillingDetails, billingQuery, statesQuery, useSaveBilling } from "./invoice-queries"

const schema = z.object({ stateCode: z.string(), gstin: z.string() })

/** The client's state, which is the place of supply, and GSTIN. */
export function Billing({ clientId }: { clientId: string }) {
  const billing = useQuery(billingQuery(clientId))
  if (!billing.data) return null
  return <BillingForm key={billing.data.version} clientId={clientId} billing={billing.data} />
}

function BillingForm({ clientId, billing }: { clientId: string; billing: BillingDetails }) {
  const { data: states = [] } = useQuery(statesQuery)
  const save = useSaveBilling(clientId)
  const form = useZodForm(
    schema,
    (entered) =>
      save.mutateAsync(
        { ...entered, version: billing.version },
        { onSuccess: ({ message }) => toast.success(message ?? "Saved."), onError: toastError },
      ),
    { stateCode: billing.stateCode, gstin: billing.gstin },
  )
  return (
    <Card
      title="Billing details"
      note={
        billing.stateCode === ""
          ? "The state is not known. An invoice with GST cannot be made without it."
          : undefined
      }
    >
      <form onSubmit={form.onSubmit} noValidate>
        <div className={styles.billing}>
          <SelectField
            label="State (place of supply)"
            options={Object.fromEntries(
              states.map(({ code, name }) => [code, `${name} (${code})`]),
            )}
            placeholder="Not known"
            {...form.field("stateCode")}
          />
          <Field
            label="GSTIN"
            maxLength={20}
            description="Only if the client is registered for GST."
            {...form.field("gstin")}
          />
        </div>
        <Actions>
          <Button type="submit" disabled={!form.isDirty} isBusy={form.isSaving}>
            Save billing details
          </Button>
        </Actions>
      </form>
    </Card>
  )
}
