import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { ApiError, messageOf, newIdempotencyKey } from "@/api/client"
import { useSession } from "@/api/use-session"
import { date } from "@/lib/dates"
import { rupees } from "@/lib/format"
import { toastError } from "@/parts/toast-error"
import { confirm } from "@/ui/overlay/confirm"
import { toast } from "@/ui/overlay/toast"
import {
  type Draft,
  type DraftField,
  draftOf,
  editOf,
  type Faults,
  faultsOfDraft,
  flowNames,
  newDraft,
} from "./accounting-drafts"
import {
  accountingQuery,
  type Transaction,
  useDeleteTransaction,
  useRestoreTransaction,
  useSaveTransaction,
} from "./queries"

interface Edited {
  draft: Draft
  faults: Faults
  isSaving: boolean
  /** The idempotency key of this content. */
  sent: { body: string; key: string }
}

export interface AccountingRow {
  key: string
  /** Undefined for a new row. */
  transaction: Transaction | undefined
  /** While the row is edited. */
  edited: Edited | undefined
}

const editedFrom = (draft: Draft): Edited => ({
  draft,
  faults: {},
  isSaving: false,
  sent: { body: "", key: "" },
})

/** Whether the server refused the call; false if it failed to answer. */
const isRefused = (error: unknown) =>
  error instanceof ApiError && !error.isNetwork && error.status < 500

/** "Fund Added of ₹50,000.00 on 02/03/2026". */
const describe = ({ type, amount, date: day }: Transaction) =>
  `${flowNames[type]} of ${rupees(amount)} on ${date(day)}`

/** The rows of the Accounting table: new ones (`fresh`), and the transactions, newest first. */
export function useAccounting(clientId: string) {
  const cache = useQueryClient()
  const query = useQuery(accountingQuery(clientId))
  const isAdmin = useSession("role") === "ADMIN"
  const [edits, setEdits] = useState<Partial<Record<string, Edited>>>({})
  const lastNew = useRef(0)
  const running = useRef(new Set<string>())
  const saving = useSaveTransaction(clientId)
  const deleting = useDeleteTransaction(clientId)
  const restoring = useRestoreTransaction()

  const put = (key: string, change: (old: Edited) => Edited) =>
    setEdits((all) => (all[key] ? { ...all, [key]: change(all[key]) } : all))
  const drop = (key: string) =>
    setEdits((all) => Object.fromEntries(Object.entries(all).filter(([each]) => each !== key)))

  const add = () => {
    lastNew.current += 1
    const key = `new-${lastNew.current}`
    setEdits((all) => ({ [key]: editedFrom(newDraft()), ...all }))
  }
  const edit = (transaction: Transaction) =>
    setEdits((all) => ({ ...all, [transaction._id]: editedFrom(draftOf(transaction)) }))
  const change = (key: string, change: Partial<Draft>) =>
    put(key, (old) => ({
      ...old,
      draft: { ...old.draft, ...change },
      faults: {
        ...old.faults,
        ...Object.fromEntries(Object.keys(change).map((f) => [f, undefined])),
      },
    }))

  const cached = () => cache.getQueryData(accountingQuery(clientId).queryKey)
  /** Reads the newest state after a conflict, so that saving again overwrites it. */
  const takeNewest = async (key: string) => {
    await query.refetch()
    const newest = cached()?.find((each) => each._id === key)
    if (newest) put(key, (old) => ({ ...old, draft: { ...old.draft, version: newest.version } }))
    else drop(key)
    return newest
  }

  /**
   * Returns the first field with an error, or null if the row is sent (or already being sent).
   * `onSaved` gets the place of the row in the list.
   */
  const save = (key: string, onSaved: (place: number) => void): DraftField | null => {
    const edited = edits[key]
    if (!edited || running.current.has(key)) return null
    const faults = faultsOfDraft(edited.draft)
    const wrong = (["date", "amount", "type"] as const).find((field) => faults[field])
    put(key, (old) => ({ ...old, faults, isSaving: !wrong }))
    if (wrong) return wrong
    const sending = editOf(edited.draft)
    const body = JSON.stringify(sending)
    const sent = edited.sent.body === body ? edited.sent : { body, key: newIdempotencyKey() }
    running.current.add(key)
    put(key, (old) => ({ ...old, sent }))
    saving.mutate(
      { edit: sending, key: sent.key },
      {
        onSuccess: (saved) => {
          drop(key)
          onSaved(cached()?.findIndex((each) => each._id === saved._id) ?? -1)
        },
        onError: async (error) => {
          put(key, (old) => ({ ...old, isSaving: false }))
          const { id, version } = sending
          const isLost = error instanceof ApiError && error.isNetwork
          const isConflict = error instanceof ApiError && [404, 409].includes(error.status)
          const newest = isConflict && id !== null ? await takeNewest(key) : undefined
          const isChanged = newest !== undefined && newest.version !== version
          toast.error(
            isLost ? "Error while saving" : messageOf(error, "Error while saving"),
            isChanged
              ? { detail: `Someone changed it to ${describe(newest)}. Save again to overwrite.` }
              : {},
          )
        },
        onSettled: () => running.current.delete(key),
      },
    )
    return null
  }

  const restore = (id: string) => restoring.mutate(id, { onError: toastError })
  const remove = async (transaction: Transaction) => {
    const { _id } = transaction
    const isSure = await confirm({
      title: "Delete this transaction?",
      text: `${describe(transaction)} will be removed from all totals.`,
      act: "Delete",
      isDanger: true,
    })
    if (!isSure) return
    deleting.mutate(transaction, {
      onSuccess: () =>
        toast.success("Transaction deleted", isAdmin ? { undo: () => restore(_id) } : {}),
      onError: (error) => {
        if (isRefused(error)) {
          toast.error("Failed to delete transaction", { detail: messageOf(error, "") })
          void query.refetch()
        } else toast.error("Some error occurred while deleting")
      },
    })
  }

  const fresh: AccountingRow[] = Object.entries(edits).flatMap(([key, edited]) =>
    edited?.draft.id === null ? [{ key, transaction: undefined, edited }] : [],
  )
  const rows: AccountingRow[] | undefined = query.data?.map((transaction) => ({
    key: transaction._id,
    transaction,
    edited: edits[transaction._id],
  }))
  return { query, fresh, rows, add, edit, change, drop, save, remove }
}
