import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import * as z from "zod/mini"
import { ApiError, messageOf } from "@/api/client"
import { today } from "@/lib/dates"
import { Button } from "@/ui/button"
import { DateField } from "@/ui/form/date-field"
import { Field, SelectField, TextField } from "@/ui/form/fields"
import { confirmDiscard, Modal } from "@/ui/overlay/modal"
import { clientKinds } from "@/parts/client-kinds"
import { languages } from "@/parts/languages"
import { contactNumberOf, LONGEST_NUMBER, personChecks } from "@/parts/person-rows"
import { DialogForm } from "@/ui/form/dialog-form"
import { toast } from "@/ui/overlay/toast"
import { useZodForm } from "@/ui/form/use-zod-form"
import styles from "./people.module.css"
import { currentRecord, type Edit, type Kind, type PersonRecord, useEdit } from "./queries"
import { TeamOfClient } from "./team-of-client"
import { isRefusal, wordFor } from "./use-record-acts"

const schema = z.object({
  name: personChecks.name,
  countryCode: personChecks.countryCode,
  contactNumber: personChecks.contactNumber,
  email: z.string(),
  role: z.string(),
  dob: z.string(),
  address: z
    .string()
    .check(z.maxLength(300, "An address has at most 300 characters, without control characters.")),
  family: z.string().check(z.trim()),
  kind: z.enum(["INDIVIDUAL", "HUF", "OTHER"]),
  accreditedFrom: z.string(),
  accreditedUntil: z.string(),
  language: z.enum(["EN", "HI"]),
})
type Values = z.output<typeof schema>

/** What the specification says an edit sends; the e-mail address never goes along. */
function editOf(kind: Kind, record: PersonRecord, values: Values): Edit {
  const {
    name,
    countryCode,
    contactNumber,
    role,
    dob,
    accreditedFrom,
    accreditedUntil,
    ...others
  } = values
  const { address, family, kind: clientKind, language } = others
  const both = { name, countryCode, contactNumber, status: record.status, version: record.version }
  return kind === "users"
    ? { ...both, role: role === "ADMIN" ? "ADMIN" : "USER" }
    : {
        ...both,
        dob: dob || null,
        address,
        family,
        kind: clientKind,
        accreditedFrom: accreditedFrom || null,
        accreditedUntil: accreditedUntil || null,
        language,
      }
}

interface EditPersonProps {
  kind: Kind
  record: PersonRecord
  onClose: () => void
}

/** Edits one record. When somebody else changed it meanwhile, what was typed stays until Reload is pressed. */
export function EditPerson({ kind, record, onClose }: EditPersonProps) {
  const [current, setCurrent] = useState(record)
  return (
    <EditForm
      key={current.version}
      kind={kind}
      record={current}
      onReload={setCurrent}
      onClose={onClose}
    />
  )
}

interface EditFormProps extends EditPersonProps {
  onReload: (record: PersonRecord) => void
}

function EditForm({ kind, record, onReload, onClose }: EditFormProps) {
  const save = useEdit(kind)
  const [conflict, setConflict] = useState("")
  const reload = useMutation({
    mutationFn: () => currentRecord(kind, record),
    onSuccess: (latestRecord) => {
      if (latestRecord) onReload(latestRecord)
      else setConflict(`${wordFor(kind)} not found`)
    },
    onError: () => toast.error("Failed to fetch data"),
  })
  const form = useZodForm(
    schema,
    (values) =>
      save.mutateAsync(
        { id: record._id, edit: editOf(kind, record, values) },
        {
          onSuccess: (answer) => {
            toast.success(answer.message ?? `${wordFor(kind)} updated successfully`)
            onClose()
          },
          onError: (error) => {
            const isConflict = error instanceof ApiError && error.code === "stale_version"
            if (isConflict) setConflict(error.message)
            else if (isRefusal(error)) toast.error(messageOf(error, "Something went wrong"))
            else toast.error("API call failed")
          },
        },
      ),
    {
      ...record,
      dob: record.dob ?? "",
      address: record.address ?? "",
      family: record.family ?? "",
      kind: record.kind ?? "INDIVIDUAL",
      accreditedFrom: record.accreditedFrom ?? "",
      accreditedUntil: record.accreditedUntil ?? "",
      language: record.language ?? "EN",
    },
  )
  const cancel = async () => {
    if (!form.isDirty || (await confirmDiscard())) onClose()
  }
  const number = form.field("contactNumber")
  return (
    <Modal
      title={`Edit ${wordFor(kind)}`}
      isOpen
      onClose={onClose}
      isDirty={form.isDirty}
      width={520}
    >
      <DialogForm
        submitLabel="Submit"
        isBusy={form.isSaving}
        onSubmit={form.onSubmit}
        onCancel={() => void cancel()}
      >
        {conflict !== "" && (
          <div className={styles.conflict} role="alert">
            <span>{conflict}</span>
            <Button isBusy={reload.isPending} onClick={() => reload.mutate()}>
              Reload
            </Button>
          </div>
        )}
        <div className={styles.fields}>
          <div className={styles.wide}>
            <Field label="Name" maxLength={100} data-autofocus {...form.field("name")} />
          </div>
          <Field label="Code" maxLength={5} inputMode="tel" {...form.field("countryCode")} />
          <Field
            label="Contact number"
            inputMode="numeric"
            {...number}
            onChange={(event) =>
              form.set({
                contactNumber: contactNumberOf(event.currentTarget.value).slice(0, LONGEST_NUMBER),
              })
            }
          />
          <div className={styles.half}>
            <SelectField
              label="Role"
              options={kind === "users" ? ["USER", "ADMIN"] : ["client"]}
              disabled={kind === "clients"}
              {...form.field("role")}
            />
          </div>
          <div className={styles.wide}>
            <Field label="Email" type="email" disabled {...form.field("email")} />
          </div>
          {kind === "clients" && (
            <>
              <TeamOfClient clientId={record._id} teamId={record.teamId ?? null} />
              <div className={styles.wide}>
                <TextField label="Address" minRows={2} {...form.field("address")} />
              </div>
              <div className={styles.wide}>
                <DateField label="Date of birth" max={today()} {...form.field("dob")} />
              </div>
              <div className={styles.wide}>
                <SelectField
                  label="Language of letters"
                  options={languages}
                  {...form.field("language")}
                />
              </div>
              <div className={styles.wide}>
                <SelectField label="Kind of client" options={clientKinds} {...form.field("kind")} />
              </div>
              <div className={styles.wide}>
                <DateField
                  label="Accredited from"
                  description="First day of the accredited investor certificate. Empty if there is none."
                  {...form.field("accreditedFrom")}
                />
              </div>
              <div className={styles.wide}>
                <DateField
                  label="Accredited until"
                  description="Its last day. Fees within these days do not count against the yearly limit."
                  {...form.field("accreditedUntil")}
                />
              </div>
              <div className={styles.wide}>
                <Field
                  label="Family"
                  maxLength={100}
                  description="Clients with the same family name share one yearly fee limit."
                  {...form.field("family")}
                />
              </div>
            </>
          )}
        </div>
      </DialogForm>
    </Modal>
  )
}
