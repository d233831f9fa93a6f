import { useQuery } from "@tanstack/react-query"
import { useActKey } from "@/api/act-key"
import { messageOf } from "@/api/client"
import { date, longDate, today } from "@/lib/dates"
import { rupees } from "@/lib/format"
import { toastError } from "@/parts/toast-error"
import { DateField } from "@/ui/form/date-field"
import { DialogForm } from "@/ui/form/dialog-form"
import { Field, SelectField } from "@/ui/form/fields"
import { MoneyField } from "@/ui/form/number-fields"
import { useZodForm } from "@/ui/form/use-zod-form"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import * as z from "zod/mini"
import styles from "./fees.module.css"
import { MODES, type PaymentMode, refundQuery, useRefundFee } from "./invoice-queries"
import type { FeeRow } from "./queries"

const modes = Object.keys(MODES) as [PaymentMode, ...PaymentMode[]]

const schema = z.object({
  endedOn: z.string().check(z.minLength(1, "Please select a valid date")),
  amount: z.union([z.literal(""), z.number()]),
  paidOn: z.string().check(z.minLength(1, "Please select a valid date")),
  modeOfPayment: z.enum(modes, "Choose the mode of payment."),
  reference: z.string(),
})

interface RefundDialogProps {
  clientId: string
  /** A paid fee with an invoice. */
  fee: FeeRow
  onClose: () => void
}

/** Ends the service of a fee on a day: what goes back, how it was worked out, and its credit note. */
export function RefundDialog({ clientId, fee, onClose }: RefundDialogProps) {
  const refund = useRefundFee(clientId)
  const keyFor = useActKey()
  const form = useZodForm(
    schema,
    ({ amount, ...entered }) => {
      const body = {
        ...entered,
        feeId: fee._id,
        version: fee.version,
        amount: amount === "" ? null : amount,
      }
      return refund.mutateAsync(
        { body, key: keyFor(body) },
        {
          onSuccess: ({ creditNote }) => {
            toast.success(`Refund recorded: credit note ${creditNote.number}`)
            onClose()
          },
          onError: toastError,
        },
      )
    },
    { paidOn: today(), reference: "", amount: "" },
  )
  return (
    <Modal
      title="End service and refund"
      isOpen
      onClose={onClose}
      isDirty={form.isDirty}
      width={420}
    >
      <DialogForm
        isBusy={form.isSaving}
        submitLabel="Record refund"
        onSubmit={form.onSubmit}
        onCancel={onClose}
      >
        <p className="muted">
          Invoice {fee.invoice?.number}: {rupees(fee.fees)} for {date(fee.startingDate)} –{" "}
          {date(fee.finalDate)}
        </p>
        <DateField
          label="Last day of service"
          data-autofocus
          min={fee.startingDate}
          max={fee.finalDate ?? undefined}
          {...form.field("endedOn")}
        />
        <Figure clientId={clientId} feeId={fee._id} endedOn={form.values.endedOn} />
        <MoneyField
          label="Amount to refund, without tax"
          description="Empty: the unserved share. Never less than that."
          {...form.field("amount")}
        />
        <DateField label="Refunded on" max={today()} {...form.field("paidOn")} />
        <SelectField
          label="Mode of Payment"
          options={MODES}
          placeholder="Choose"
          {...form.field("modeOfPayment")}
        />
        <Field label="Reference" maxLength={60} {...form.field("reference")} />
      </DialogForm>
    </Modal>
  )
}

/** The unserved share with its arithmetic, or why there is none. */
function Figure({
  clientId,
  feeId,
  endedOn,
}: {
  clientId: string
  feeId: string
  endedOn: string
}) {
  const figure = useQuery(refundQuery(clientId, feeId, endedOn))
  if (endedOn === "") return null
  if (figure.isError)
    return (
      <p className={styles.limit} role="alert">
        {messageOf(figure.error, "Something went wrong")}
      </p>
    )
  if (!figure.data) return null
  const { fee, days, served, unserved, share, refunded, amount } = figure.data
  return (
    <p role="status">
      <strong>{rupees(amount)} to refund.</strong> {served} of {days} days served until{" "}
      {longDate(endedOn)}: {rupees(fee)} × {unserved} ÷ {days} = {rupees(share)}
      {refunded > 0 && `, less ${rupees(refunded)} refunded before`}. No breakage fee.
    </p>
  )
}
