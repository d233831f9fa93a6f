import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { messageOf } from "@/api/client"
import { useSession } from "@/api/use-session"
import { saveFile } from "@/lib/save-file"
import { DialogForm } from "@/ui/form/dialog-form"
import { Field } from "@/ui/form/fields"
import { RadioField } from "@/ui/form/radio-field"
import { Segments } from "@/ui/form/segments"
import { Modal } from "@/ui/overlay/modal"
import { toast } from "@/ui/overlay/toast"
import { ErrorNote } from "@/ui/states"
import { type ExportRequest, recordFile } from "./queries"

const audiences = {
  FIRM: "The firm, its auditor or a verification agency",
  PROSPECT: "One person who asked for it",
  PUBLIC: "The public",
} as const
const outside = { PROSPECT: audiences.PROSPECT, PUBLIC: audiences.PUBLIC }
const formats = { csv: "CSV", xlsx: "Excel" } as const

/** Asks for whom the record is; the server writes it, or says why it may not be shown. */
export function ExportDialog({ onClose }: { onClose: () => void }) {
  // Only an administrator downloads a file for the firm.
  const isAdmin = useSession("role") === "ADMIN"
  const [asked, setAsked] = useState<ExportRequest>({
    audience: isAdmin ? "FIRM" : "PROSPECT",
    askedBy: "",
    format: "csv",
  })
  const exporting = useMutation({
    mutationFn: () => recordFile(asked),
    onSuccess: ({ content, name }) => {
      saveFile(content, name)
      toast.success("Record saved")
      onClose()
    },
  })
  const change = (next: Partial<ExportRequest>) => {
    exporting.reset()
    setAsked({ ...asked, ...next })
  }
  return (
    <Modal title="Export the record of calls" isOpen onClose={onClose} width={480}>
      <DialogForm
        submitLabel="Export"
        isBusy={exporting.isPending}
        onSubmit={() => exporting.mutate()}
        onCancel={onClose}
      >
        <RadioField
          label="For whom is it?"
          choices={isAdmin ? audiences : outside}
          value={asked.audience === "OWN_CLIENT" ? null : asked.audience}
          onChoice={(audience) => change({ audience })}
          description="Every row of every sealed advice that says to buy or to sell, chained by hashes: a later change shows."
        />
        {asked.audience === "PROSPECT" && (
          <Field
            label="Who asked for it?"
            maxLength={200}
            value={asked.askedBy}
            onChange={(event) => change({ askedBy: event.currentTarget.value })}
          />
        )}
        <Segments
          label="As"
          choices={formats}
          value={asked.format === "xlsx" ? "xlsx" : "csv"}
          onChoice={(format) => change({ format })}
        />
        {exporting.isError && (
          <ErrorNote message={messageOf(exporting.error, "The record could not be exported.")} />
        )}
      </DialogForm>
    </Modal>
  )
}
