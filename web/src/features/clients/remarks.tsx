import { useQuery } from "@tanstack/react-query"
import { Pencil, Plus } from "lucide-react"
import { useState } from "react"
import { messageOf } from "@/api/client"
import { dateTime } from "@/lib/dates"
import { toastError } from "@/parts/toast-error"
import { Button, IconButton } from "@/ui/button"
import { Card } from "@/ui/card"
import { EmptyState, ErrorNote, Loading } from "@/ui/states"
import { type Remark, remarksQuery, useAddRemark, useEditRemark } from "./queries"
import { useRemarkDraft } from "./remark-drafts"
import { RemarkForm } from "./remark-form"
import styles from "./remarks.module.css"

/** The notes of staff about the client, newest first. */
export function Remarks({ clientId }: { clientId: string }) {
  // The profile has asked for this: where that failed, it is asked again on Retry.
  const remarks = useQuery({ ...remarksQuery(clientId), retryOnMount: false })
  const { draft, type, drop } = useRemarkDraft(clientId, "new")
  const [isAdding, setIsAdding] = useState(draft !== null)
  const add = useAddRemark(clientId)
  const isOpen = isAdding || draft !== null
  const close = () => {
    drop()
    setIsAdding(false)
  }
  const save = (remark: string) =>
    add.mutate({ remark, key: draft?.key ?? "" }, { onSuccess: close, onError: toastError })
  const isEmpty = remarks.data?.length === 0
  const addButton = (
    <Button icon={<Plus size={15} />} data-add onClick={() => setIsAdding(true)}>
      Add remark
    </Button>
  )
  return (
    <Card title="Remarks" actions={!isOpen && !isEmpty && addButton}>
      {isOpen && (
        <RemarkForm
          label="New remark"
          text={draft?.text ?? ""}
          isSaving={add.isPending}
          onType={type}
          onSave={save}
          onCancel={close}
        />
      )}
      {remarks.isError && (
        <ErrorNote
          message={messageOf(remarks.error, "Failed to fetch data")}
          onRetry={remarks.refetch}
        />
      )}
      {remarks.isPending && <Loading />}
      {isEmpty && !isOpen && (
        <EmptyState
          title="No Data Available"
          hint="Notes about this client appear here."
          action={addButton}
        />
      )}
      {remarks.data !== undefined && remarks.data.length > 0 && (
        <ul className={styles.remarks} aria-label="Remarks">
          {remarks.data.map((remark) => (
            <RemarkItem key={remark._id} remark={remark} clientId={clientId} />
          ))}
        </ul>
      )}
    </Card>
  )
}

/** One remark, edited in place. A text that could not be saved stays in the form. */
function RemarkItem({ remark, clientId }: { remark: Remark; clientId: string }) {
  const { draft, type, drop } = useRemarkDraft(clientId, remark._id)
  const edit = useEditRemark(clientId)
  const save = (text: string) =>
    edit.mutate({ ...remark, remark: text }, { onSuccess: drop, onError: toastError })
  if (draft !== null) {
    return (
      <li>
        <RemarkForm
          label="Edit remark"
          text={draft.text}
          before={remark.remark}
          isSaving={edit.isPending}
          onType={type}
          onSave={save}
          onCancel={drop}
        />
      </li>
    )
  }
  const createdAt = dateTime(remark.createdAt)
  return (
    <li className={styles.remark}>
      <div>
        <p className={styles.text}>{remark.remark}</p>
        <p className={styles.by}>
          {[remark.author, createdAt].filter(Boolean).join(" · ")}
          {remark.updatedAt !== null && <span title={dateTime(remark.updatedAt)}> · edited</span>}
        </p>
      </div>
      <IconButton
        label={`Edit remark of ${createdAt}`}
        icon={<Pencil size={15} />}
        onClick={() => type(remark.remark)}
      />
    </li>
  )
}
