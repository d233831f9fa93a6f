import { type ChangeEvent, useState } from "react"
import { useActKey } from "@/api/act-key"
import { today } from "@/lib/dates"
import { toastError } from "@/parts/toast-error"
import { DateField } from "@/ui/form/date-field"
import { DialogForm } from "@/ui/form/dialog-form"
import { Field, SelectField, TextField } from "@/ui/form/fields"
import { refusesFields } from "@/ui/form/use-zod-form"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import { type ObligationEntered, type ObligationShown, useSaveObligation } from "./queries"

const forms = {
  MONTH_END: "Day of the month after each month",
  HALF_YEAR_END: "Day of the month after each half-year",
  FISCAL_YEAR_END: "After the fiscal year",
  FIXED_DAY: "One day",
  EVENT: "Days after an event",
}
const events = {
  CLIENT_ADDED: "Client added",
  CLIENT_REMOVED: "Client removed",
  STAFF_CHANGED: "Change of staff",
  COMPLAINT: "Complaint received",
}
const hints: Partial<Record<string, string>> = {
  MONTH_END: "A day from 1 to 31, such as 7",
  HALF_YEAR_END: "A day from 1 to 31, such as 30",
  FISCAL_YEAR_END: "Days after 31 March such as 30, or month and day such as 09-30",
  FIXED_DAY: "Such as 2026-10-31",
  EVENT: "Such as 7; empty for at once",
  EXPIRY: "Days before expiry, such as 90/30/0",
}

function draftOf(edited: ObligationShown | null): ObligationEntered {
  const version = edited?.versions.find(({ ruleText }) => ruleText === edited.ruleText)
  return {
    title: edited?.title ?? "",
    form: version?.form ?? "MONTH_END",
    trigger: version?.trigger ?? "DATE",
    rule: version?.rule ?? "",
    duty: version?.duty ?? "",
    evidence: version?.evidence ?? "",
    source: version?.source ?? "",
    terms: version?.terms ?? "",
    effectiveOn: today(),
  }
}

interface ObligationFormProps {
  /** The obligation that gets a new version; null for one of the firm's own. */
  edited: ObligationShown | null
  onClose: () => void
}

/** Adds an obligation of the firm's own, or a version that holds from a day; earlier ones stay. */
export function ObligationForm({ edited, onClose }: ObligationFormProps) {
  const [draft, setDraft] = useState(() => draftOf(edited))
  const [faults, setFaults] = useState<Partial<Record<string, string>>>({})
  const [isDirty, setIsDirty] = useState(false)
  const save = useSaveObligation(edited?._id ?? null)
  const keyOf = useActKey()
  const change = (next: Partial<ObligationEntered>) => {
    setIsDirty(true)
    setFaults({})
    setDraft((old) => ({ ...old, ...next }))
  }
  const field = (name: "title" | "rule" | "duty" | "evidence" | "source" | "terms") => ({
    value: draft[name] ?? "",
    error: faults[name],
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      change({ [name]: event.currentTarget.value }),
  })
  const submit = () => {
    if (save.isPending) return
    save.mutate(
      { body: draft, key: keyOf(draft) },
      {
        onSuccess: () => {
          toast.success(edited === null ? "Obligation added" : "New version saved")
          onClose()
        },
        onError: (error) => {
          if (!refusesFields(error) || error.errors.length === 0) toastError(error)
          else setFaults(Object.fromEntries(error.errors.map((each) => [each.field, each.message])))
        },
      },
    )
  }
  const title = edited === null ? "Add obligation" : "New version of the obligation"
  return (
    <Modal title={title} isOpen isDirty={isDirty} onClose={onClose}>
      <DialogForm isBusy={save.isPending} onSubmit={submit} onCancel={onClose}>
        <Field label="Title" {...field("title")} />
        {draft.form !== "EXPIRY" && (
          <SelectField
            label="Due"
            options={forms}
            value={draft.form}
            onChange={(event) => {
              const form = event.currentTarget.value as ObligationEntered["form"]
              change({ form, trigger: form === "EVENT" ? "CLIENT_ADDED" : "DATE" })
            }}
          />
        )}
        {draft.form === "EVENT" && (draft.trigger ?? "") in events && (
          <SelectField
            label="Event"
            options={events}
            value={draft.trigger}
            onChange={(event) =>
              change({ trigger: event.currentTarget.value as ObligationEntered["trigger"] })
            }
          />
        )}
        <Field label="Day or days" description={hints[draft.form]} {...field("rule")} />
        <TextField label="What is owed" {...field("duty")} />
        <Field label="Evidence" {...field("evidence")} />
        {draft.terms !== "" && <Field label="Terms" {...field("terms")} />}
        <Field label="Source" description="Circular and date" {...field("source")} />
        <DateField
          label="Holds from"
          value={draft.effectiveOn}
          error={faults.effectiveOn}
          onChange={(effectiveOn) => change({ effectiveOn })}
        />
      </DialogForm>
    </Modal>
  )
}
