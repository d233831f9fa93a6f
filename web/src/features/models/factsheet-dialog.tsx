import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { messageOf } from "@/api/client"
import { useSession } from "@/api/use-session"
import { today } from "@/lib/dates"
import { saveFile } from "@/lib/save-file"
import { DateField } from "@/ui/form/date-field"
import { DialogForm } from "@/ui/form/dialog-form"
import { Field } from "@/ui/form/fields"
import { RadioField } from "@/ui/form/radio-field"
import { Segments } from "@/ui/form/segments"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import { ErrorNote } from "@/ui/states"
import { factsheetOf, type FactsheetRequest } from "./queries"
import styles from "./track-record.module.css"
import type { TrackRecord } from "./types"

const audiences = {
  FIRM: "The firm, its auditor or a verification agency",
  PROSPECT: "One person who asked for it",
  PUBLIC: "The public: website, post, presentation",
} as const
const outside = { PROSPECT: audiences.PROSPECT, PUBLIC: audiences.PUBLIC }
const forms = { pdf: "PDF", html: "Web page" } as const

/** Asks for whom a factsheet is; the server makes it, or says why it may not be shown. */
export function FactsheetDialog({ record, onClose }: { record: TrackRecord; onClose: () => void }) {
  // Only an administrator downloads a file for the firm.
  const isAdmin = useSession("role") === "ADMIN"
  const [asked, setAsked] = useState<FactsheetRequest>({
    form: "pdf",
    audience: isAdmin ? "FIRM" : "PROSPECT",
    askedBy: "",
    until: "",
  })
  const making = useMutation({
    mutationFn: () => factsheetOf(record._id, asked),
    onSuccess: ({ content, name }) => {
      saveFile(content, name)
      toast.success("Factsheet saved")
      onClose()
    },
  })
  const change = (next: Partial<FactsheetRequest>) => {
    making.reset()
    setAsked({ ...asked, ...next })
  }
  return (
    <Modal title="Factsheet" isOpen onClose={onClose} width={480}>
      <DialogForm
        submitLabel="Make factsheet"
        isBusy={making.isPending}
        onSubmit={() => making.mutate()}
        onCancel={onClose}
      >
        <div className={styles.dialog}>
          <RadioField
            label="For whom is it?"
            choices={isAdmin ? audiences : outside}
            value={asked.audience === "OWN_CLIENT" ? null : asked.audience}
            onChoice={(audience) => change({ audience })}
          />
          {asked.audience === "PROSPECT" && (
            <Field
              label="Who asked for it?"
              maxLength={200}
              value={asked.askedBy}
              onChange={(event) => change({ askedBy: event.currentTarget.value })}
            />
          )}
          <DateField
            label="Figures until"
            description="Empty for the newest value."
            max={today()}
            value={asked.until}
            onChange={(until) => change({ until })}
          />
          <Segments
            label="As"
            choices={forms}
            value={asked.form}
            onChoice={(form) => change({ form })}
          />
          {making.isError && (
            <ErrorNote message={messageOf(making.error, "The factsheet could not be made.")} />
          )}
          <p className={styles.hint}>
            The rules, the firm’s enrolment and its certificates are in Settings. Every factsheet
            and every refusal is in the audit trail.
          </p>
        </div>
      </DialogForm>
    </Modal>
  )
}
