import { ApiError } from "@/api/client"
import { confirm } from "@/ui/overlay/confirm"
import { toast } from "@/ui/overlay/toast"
import {
  type Kind,
  type PersonRecord,
  type Status,
  useDelete,
  useRestore,
  useSetStatus,
} from "./queries"

export const wordFor = (kind: Kind) => (kind === "users" ? "User" : "Client")

/** Whether the server gave an answer, though a refusal; else the call itself failed. */
export const isRefusal = (error: unknown) => error instanceof ApiError && !error.isNetwork

/** The server's reason, under the specification's sentence. */
const reason = (error: unknown) =>
  error instanceof ApiError && error.message !== "" ? { detail: error.message } : {}

/** What the row menu does: each act is saved at once and can be taken back. */
export function useRecordActs(kind: Kind, isAdmin: boolean) {
  const status = useSetStatus(kind)
  const removal = useDelete(kind)
  const restoring = useRestore(kind)
  const done = `${wordFor(kind)} updated successfully`

  const setStatus = (record: PersonRecord, newStatus: Status, isUndo = false) =>
    status.mutate(
      { id: record._id, status: newStatus },
      {
        onSuccess: (answer) =>
          toast.success(answer.message ?? done, {
            detail: `${record.name}: ${newStatus}`,
            undo: isUndo ? undefined : () => setStatus(record, record.status, true),
          }),
        onError: (error) =>
          toast.error(
            isRefusal(error) ? "Failed to update status" : "Error updating status",
            reason(error),
          ),
      },
    )
  const restore = (record: PersonRecord) =>
    restoring.mutate(record, {
      onSuccess: (answer) => toast.success(answer.message),
      onError: (error) =>
        toast.error(
          isRefusal(error) && error.message !== "" ? error.message : "Something went wrong",
        ),
    })
  const remove = async (record: PersonRecord) => {
    const isSure = await confirm({
      title: `Delete ${record.name}?`,
      text:
        kind === "users"
          ? "The account is closed and its sessions end immediately. An administrator can restore it."
          : "The client will be removed from all lists and totals. Records are kept; an administrator can restore the client.",
      isDanger: true,
    })
    if (!isSure) return
    removal.mutate(record, {
      onSuccess: (answer) =>
        toast.success(answer.message, { undo: isAdmin ? () => restore(record) : undefined }),
      onError: (error) => toast.error("Failed to delete, some error occurred", reason(error)),
    })
  }
  return { setStatus, restore, remove }
}
