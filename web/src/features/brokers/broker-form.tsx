import { useState } from "react"
import * as z from "zod/mini"
import { offerApproval } from "@/api/approval"
import { ApiError, newIdempotencyKey } from "@/api/client"
import { isAdmin } from "@/api/session"
import { Button } from "@/ui/button"
import { Actions } from "@/ui/overlay/confirm"
import { Field, TextField } from "@/ui/form/fields"
import { RadioField } from "@/ui/form/radio-field"
import { toast } from "@/ui/overlay/toast"
import { useZodForm } from "@/ui/form/use-zod-form"
import styles from "./brokers.module.css"
import type { offered } from "./offered"
import { type Broker, brokerBody, useSaveBroker } from "./queries"

const schema = z.object({
  description: z.string(),
  logo: z.string(),
  apiSecret: z.string(),
  apiUrl: z.string(),
  apiKey: z.string(),
  isRenewSessionAllowed: z.boolean(),
  status: z.enum(["ACTIVE", "INACTIVE"]),
})

const yesOrNo = { yes: "Yes", no: "No" } as const
const statuses = { ACTIVE: "Active", INACTIVE: "Inactive" } as const

function refusalWords(error: unknown) {
  if (error instanceof ApiError && error.isNetwork) return "No response from server"
  const message = error instanceof ApiError ? error.message : ""
  return `Failed to save broker: ${message || "Unknown server error"}`
}

const secretWords = (record: Broker | undefined) =>
  record?.apiSecretSet
    ? "Stored encrypted and never shown. Type a new one to replace it."
    : "Stored encrypted; it will not be shown again."

interface BrokerFormProps {
  broker: (typeof offered)[number]
  /** Absent while the broker is not added yet. */
  record: Broker | undefined
  onAdded: () => void
}

/** A broker's fields. Whoever is not ADMIN reads them; the secret is never among what the server answers. */
export function BrokerForm({ broker, record, onAdded }: BrokerFormProps) {
  const [key] = useState(newIdempotencyKey)
  const save = useSaveBroker(broker.name, record, key)
  const mayEdit = isAdmin()
  const form = useZodForm(
    schema,
    async (draft) => {
      try {
        const { message } = await save.mutateAsync(draft)
        toast.success(message ?? "Broker saved")
        if (!record) onAdded()
      } catch (error) {
        const isOffered = offerApproval(error, {
          action: "BROKER_KEY",
          broker: brokerBody(broker.name, record, draft),
        })
        if (!isOffered) toast.error(refusalWords(error))
        throw error
      }
    },
    record ?? { apiUrl: broker.apiUrl, isRenewSessionAllowed: false, status: "ACTIVE" },
  )
  const readOnly = !mayEdit
  return (
    <form className={styles.sheet} onSubmit={form.onSubmit} noValidate>
      <div className={styles.form}>
        <Field label="Broker Name" value={broker.label} readOnly />
        <Field label="Logo URL" type="url" readOnly={readOnly} {...form.field("logo")} />
        <div className={styles.wide}>
          <TextField
            label="Description"
            minRows={2}
            maxLength={2000}
            readOnly={readOnly}
            {...form.field("description")}
          />
        </div>
        <Field
          label="API Key"
          autoComplete="off"
          spellCheck={false}
          readOnly={readOnly}
          {...form.field("apiKey")}
        />
        <Field
          label="API Secret"
          type="password"
          autoComplete="new-password"
          readOnly={readOnly}
          description={mayEdit ? secretWords(record) : undefined}
          {...form.field("apiSecret")}
        />
        <div className={styles.wide}>
          <Field
            label="API URL"
            type="url"
            spellCheck={false}
            readOnly={readOnly}
            description={
              mayEdit ? "If you change the host, enter the API secret again." : undefined
            }
            {...form.field("apiUrl")}
          />
        </div>
        <RadioField
          label="Is Renew Session Allowed"
          choices={yesOrNo}
          value={form.values.isRenewSessionAllowed ? "yes" : "no"}
          disabled={readOnly}
          onChoice={(choice) => form.set({ isRenewSessionAllowed: choice === "yes" })}
        />
        <RadioField
          label="Status"
          choices={statuses}
          value={form.values.status}
          disabled={readOnly}
          onChoice={(status) => form.set({ status })}
        />
        {mayEdit && (
          <p className={`${styles.note} ${styles.wide}`}>
            In {broker.console}, enter this as the app&apos;s redirect URL:{" "}
            <code>{window.location.origin}/redirect</code>
            {broker.needs && <>. {broker.needs}</>}
          </p>
        )}
        {!mayEdit && !record && (
          <p className={`${styles.note} ${styles.wide}`}>
            This broker is not added yet. An administrator can add it.
          </p>
        )}
      </div>
      {mayEdit && (
        <Actions>
          <Button kind="primary" type="submit" isBusy={form.isSaving}>
            Save
          </Button>
        </Actions>
      )}
    </form>
  )
}
