import { useState } from "react"
import * as z from "zod/mini"
import { date, today } from "@/lib/dates"
import { type ConsentKind, consentKinds } from "@/parts/consent-kinds"
import { type Language, languages } from "@/parts/languages"
import { toastError } from "@/parts/toast-error"
import { DateField } from "@/ui/form/date-field"
import { DialogForm } from "@/ui/form/dialog-form"
import { SelectField } from "@/ui/form/fields"
import { FileDrop } from "@/ui/form/file-drop"
import { refusesFields, useZodForm } from "@/ui/form/use-zod-form"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import { type ConsentsToText, useRecordConsent } from "./queries"
import styles from "./papers.module.css"

const MOST_BYTES = 2 * 2 ** 20

const schema = z.object({
  kind: z.enum(Object.keys(consentKinds) as [ConsentKind, ...ConsentKind[]]),
  number: z.string(),
  language: z.enum(Object.keys(languages) as [Language, ...Language[]]),
  givenOn: z.string().check(z.minLength(1, "Enter the day on which it was signed.")),
})

interface RecordConsentProps {
  clientId: string
  kind: ConsentKind
  /** Those of which the firm has a text. */
  consents: ConsentsToText[]
  onClose: () => void
}

/** A consent on paper: the text and its version, the day, and the signed file. */
export function RecordConsent({ clientId, kind, consents, onClose }: RecordConsentProps) {
  const [file, setFile] = useState<File | null>(null)
  const [fault, setFault] = useState("")
  const record = useRecordConsent(clientId)
  const versionsOf = (chosen: ConsentKind) =>
    consents.find((row) => row.kind === chosen)?.versions ?? []
  const newest = (chosen: ConsentKind) => {
    const inForce = consents.find((row) => row.kind === chosen)?.inForce
    return `${(inForce ?? versionsOf(chosen)[0])?.number ?? ""}`
  }
  const form = useZodForm(
    schema,
    (values) => {
      if (file === null) return
      return record.mutateAsync(
        { ...values, file },
        {
          onSuccess: () => {
            toast.success("Consent recorded")
            onClose()
          },
          onError: (error) => {
            if (!refusesFields(error) || error.errors.length === 0) toastError(error)
          },
        },
      )
    },
    { kind, number: newest(kind), language: "EN", givenOn: "" },
  )
  const take = (taken: File) => {
    const isFit = taken.size <= MOST_BYTES
    setFault(isFit ? "" : "The file is larger than 2 MB. Choose a smaller one.")
    setFile(isFit ? taken : null)
  }
  return (
    <Modal
      title="Record consent"
      isOpen
      isDirty={form.isDirty || file !== null}
      onClose={onClose}
      width={480}
    >
      <DialogForm
        submitLabel="Record consent"
        isBusy={form.isSaving}
        onSubmit={(event) => {
          if (file === null) setFault("Choose the signed file.")
          form.onSubmit(event)
        }}
        onCancel={onClose}
      >
        <SelectField
          label="Consent"
          options={Object.fromEntries(consents.map((row) => [row.kind, consentKinds[row.kind]]))}
          {...form.field("kind")}
          onChange={({ target }) => {
            const chosen = target.value as ConsentKind
            form.set({ kind: chosen, number: newest(chosen) })
          }}
        />
        <SelectField
          label="Version"
          options={Object.fromEntries(
            versionsOf(form.values.kind).map(({ number, effectiveOn }) => [
              `${number}`,
              `${number}, from ${date(effectiveOn)}`,
            ]),
          )}
          {...form.field("number")}
        />
        <SelectField
          label="Language of the paper"
          options={languages}
          {...form.field("language")}
        />
        <DateField label="Signed on" max={today()} {...form.field("givenOn")} />
        <div>
          <FileDrop
            label={file?.name ?? "Choose the signed file"}
            accept=".pdf,.png,.jpg,.jpeg"
            hint="PDF, PNG or JPEG, at most 2 MB"
            onFile={take}
            onRefused={setFault}
          />
          {fault !== "" && (
            <p role="alert" className={styles.fault}>
              {fault}
            </p>
          )}
        </div>
      </DialogForm>
    </Modal>
  )
}
