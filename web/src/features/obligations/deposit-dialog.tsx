import { useQuery } from "@tanstack/react-query"
import { date } from "@/lib/dates"
import { rupees } from "@/lib/format"
import { toastError } from "@/parts/toast-error"
import { DialogForm } from "@/ui/form/dialog-form"
import { SelectField } from "@/ui/form/fields"
import { MoneyField } from "@/ui/form/number-fields"
import { useZodForm } from "@/ui/form/use-zod-form"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import { ErrorNote, Loading } from "@/ui/states"
import * as z from "zod/mini"
import {
  type ComplianceSettings,
  complianceSettingsQuery,
  type DepositShown,
  useSaveComplianceSettings,
} from "./queries"

const hours = { unknown: "Not recorded", full: "Full-time", part: "Part-time" } as const
type Hours = keyof typeof hours

const schema = z.object({
  deposit: z.union([z.literal(""), z.number().check(z.nonnegative("Enter an amount."))]),
  hours: z.enum(Object.keys(hours) as [Hours, ...Hours[]]),
})

/** The deposit that the firm needs and holds, and whether its analyst works part-time. */
export function DepositDialog({ onClose }: { onClose: () => void }) {
  const { data: settings, isError, refetch } = useQuery(complianceSettingsQuery)
  if (settings) return <DepositForm settings={settings} onClose={onClose} />
  return (
    <Modal title="Deposit and hours" isOpen onClose={onClose} width={440}>
      {isError ? <ErrorNote message="Failed to fetch data" onRetry={refetch} /> : <Loading />}
    </Modal>
  )
}

interface DepositFormProps {
  settings: ComplianceSettings
  onClose: () => void
}

function DepositForm({ settings, onClose }: DepositFormProps) {
  const save = useSaveComplianceSettings()
  const form = useZodForm(
    schema,
    ({ deposit, hours }) =>
      save.mutateAsync(
        {
          deposit: deposit === "" ? null : deposit,
          isPartTime: hours === "unknown" ? null : hours === "part",
          version: settings.version,
        },
        {
          onSuccess: () => {
            toast.success("Saved.")
            onClose()
          },
          onError: toastError,
        },
      ),
    { deposit: settings.deposit ?? "", hours: hoursOf(settings.isPartTime) },
  )
  return (
    <Modal title="Deposit and hours" isOpen isDirty={form.isDirty} onClose={onClose} width={440}>
      <DialogForm isBusy={form.isSaving} onSubmit={form.onSubmit} onCancel={onClose}>
        <Need year={settings.lastYear} isOver />
        <Need year={settings.thisYear} isOver={false} />
        <MoneyField
          label="Deposit held"
          data-autofocus
          description="The amount under lien today. Leave it empty while it is not known."
          {...form.field("deposit")}
        />
        <SelectField
          label="The analyst works"
          description="The number of clients of a part-time analyst is limited."
          options={hours}
          {...form.field("hours")}
        />
      </DialogForm>
    </Modal>
  )
}

/** What the most clients on any day of a fiscal year ask for, and what is missing. */
function Need({ year, isOver }: { year: DepositShown; isOver: boolean }) {
  const { last, peak, peakOn, needed, shortfall } = year
  return (
    <p className="muted">
      <strong>
        {isOver ? "Year to" : "Year until"} {date(last)}: {rupees(needed)}
      </strong>{" "}
      for up to {peak} {peak === 1 ? "client" : "clients"} on a day
      {peakOn !== null && `, first on ${date(peakOn)}`}.
      {shortfall !== null &&
        (shortfall > 0 ? ` ${rupees(shortfall)} is missing.` : " The deposit is enough.")}
    </p>
  )
}

function hoursOf(isPartTime: boolean | null): Hours {
  if (isPartTime === null) return "unknown"
  return isPartTime ? "part" : "full"
}
