import { longDate, today } from "@/lib/dates"
import { toastError } from "@/parts/toast-error"
import { DialogForm } from "@/ui/form/dialog-form"
import { DateField } from "@/ui/form/date-field"
import { Modal } from "@/ui/overlay/modal"
import { MoneyField } from "@/ui/form/number-fields"
import { useZodForm } from "@/ui/form/use-zod-form"
import * as z from "zod/mini"
import { amountField, pastDayField } from "./account-fields"
import { type CashByHand, type Portfolio, useEnterCash } from "./queries"

/** The source of the cash: `Cash by hand, 12 Nov 2026, Asha Rao`. */
export const CashNote = ({ cash }: { cash: CashByHand }) => (
  <span>
    {["Cash by hand", longDate(cash.asOf), cash.enteredBy].filter((part) => part !== "").join(", ")}
  </span>
)

const schema = z.object({ amount: amountField, asOf: pastDayField })

interface EditCashProps {
  clientId: string
  /** The account when the dialog was opened. */
  portfolio: Portfolio
  onClose: () => void
}

/** The cash of a client whose broker does not report it. */
export function EditCash({ clientId, portfolio, onClose }: EditCashProps) {
  const save = useEnterCash(clientId)
  const form = useZodForm(
    schema,
    (cash) =>
      save.mutateAsync(
        { ...cash, version: portfolio.version },
        {
          onSuccess: onClose,
          onError: toastError,
        },
      ),
    { ...(portfolio.cash === null ? {} : { amount: portfolio.cash }), asOf: today() },
  )
  return (
    <Modal title="Enter cash" isOpen onClose={onClose} isDirty={form.isDirty} width={360}>
      <DialogForm isBusy={form.isSaving} onSubmit={form.onSubmit} onCancel={onClose}>
        <MoneyField label="Cash" data-autofocus {...form.field("amount")} />
        <DateField
          label="As of"
          max={today()}
          description="Cash flows after this day are added. The next broker sync replaces it."
          {...form.field("asOf")}
        />
      </DialogForm>
    </Modal>
  )
}
