import { Checkbox } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import * as z from "zod/mini"
import { Card, Screen } from "@/ui/card"
import { Field, SelectField, TextField } from "@/ui/form/fields"
import { useZodForm } from "@/ui/form/use-zod-form"
import { Notice } from "@/ui/notice"
import { ErrorNote, Loading } from "@/ui/states"
import {
  type InvoiceSettings,
  invoiceSettingsQuery,
  useSaveInvoiceSettings,
} from "./invoice-queries"
import { InvoiceRules } from "./invoice-rules"
import styles from "./settings.module.css"
import { UndoAndSave } from "@/ui/form/undo-and-save"

const MODES = {
  UPI: "UPI",
  BANK_TRANSFER: "Bank transfer",
  CHEQUE: "Cheque",
  DEMAND_DRAFT: "Demand draft",
  CARD: "Card",
  CEFCOM: "CeFCoM",
}

const CAPS = { FLAG: "Save it and flag it", REFUSE: "Refuse it" }

const prefix = z
  .string()
  .check(z.trim(), z.regex(/^[A-Za-z0-9-]{1,4}$/, "Enter 1 to 4 letters, digits or hyphens"))

const schema = z.object({
  isOn: z.boolean(),
  gstin: z.string(),
  invoicePrefix: prefix,
  creditPrefix: prefix,
  upiId: z.string(),
  bankLine: z.string(),
  defaultMode: z.enum(["", "UPI", "BANK_TRANSFER", "CHEQUE", "DEMAND_DRAFT", "CARD", "CEFCOM"]),
  capBehaviour: z.enum(["FLAG", "REFUSE"]),
})

const draftOf = (details: InvoiceSettings) => ({
  ...details,
  defaultMode: details.defaultMode ?? ("" as const),
})

/** What the firm's invoices carry, what happens at the yearly limit, and what the law says. */
export default function InvoiceSettingsPanel() {
  const details = useQuery(invoiceSettingsQuery)
  if (details.isError && !details.data)
    return <ErrorNote message="Failed to fetch data" onRetry={details.refetch} />
  if (!details.data) return <Loading />
  return (
    <Screen>
      <InvoiceForm key={details.data.version} details={details.data} />
      <InvoiceRules />
    </Screen>
  )
}

function InvoiceForm({ details }: { details: InvoiceSettings }) {
  const save = useSaveInvoiceSettings()
  const form = useZodForm(
    schema,
    ({ defaultMode, ...entered }) =>
      save.mutateAsync({ ...entered, defaultMode: defaultMode || null, version: details.version }),
    draftOf(details),
  )
  return (
    <form onSubmit={form.onSubmit} noValidate>
      <Screen>
        {details.isOn && details.upiId === "" && (
          <Notice>
            No validated UPI ID is entered: invoices carry no QR code. Enter the ID that your bank
            gave you, with @valid in it.
          </Notice>
        )}
        {details.isOn && details.gstin === "" && (
          <Notice tone="info">
            No GSTIN is entered: each paid fee gets a bill without tax that says so.
          </Notice>
        )}
        <Card title="Invoices">
          <div className={styles.choices}>
            <Checkbox
              label="Issue an invoice for each fee marked paid"
              description="It is numbered without gaps, stored, and mailed to the client as a receipt. The fee’s payment then stays as it is; a refund issues a credit note."
              size="sm"
              checked={form.values.isOn}
              onChange={(event) => form.set({ isOn: event.currentTarget.checked })}
            />
          </div>
        </Card>
        <Card title="Tax and numbers">
          <div className={styles.fields}>
            <Field
              label="GSTIN"
              maxLength={20}
              description="Its first two digits are the state of supply. Empty: bills without tax."
              {...form.field("gstin")}
            />
            <SelectField
              label="Usual mode of payment"
              options={MODES}
              placeholder="None: ask each time"
              {...form.field("defaultMode")}
            />
            <Field
              label="Prefix of invoices"
              description="INV gives INV/26-27/0001."
              maxLength={4}
              {...form.field("invoicePrefix")}
            />
            <Field
              label="Prefix of credit notes"
              description="Their own series."
              maxLength={4}
              {...form.field("creditPrefix")}
            />
          </div>
        </Card>
        <Card title="For payments" note="Printed on invoices for the next payment.">
          <div className={styles.fields}>
            <Field
              label="Validated UPI ID"
              description="Such as name.ra@validhdfc. Printed with a QR code."
              {...form.field("upiId")}
            />
            <TextField
              label="Bank account"
              minRows={2}
              maxLength={300}
              {...form.field("bankLine")}
            />
          </div>
        </Card>
        <Card
          title="Yearly limit per family"
          note="The amount is in Fee schedule. Fees of twelve months count, without tax."
        >
          <div className={styles.fields}>
            <SelectField
              label="A fee over the limit"
              options={CAPS}
              {...form.field("capBehaviour")}
            />
          </div>
        </Card>
      </Screen>
      <UndoAndSave form={form} />
    </form>
  )
}
