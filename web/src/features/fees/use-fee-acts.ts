import { useQueryClient } from "@tanstack/react-query"
import { useRef, useState } from "react"
import { useActKey } from "@/api/act-key"
import { ApiError, messageOf } from "@/api/client"
import { date } from "@/lib/dates"
import { confirm } from "@/ui/overlay/confirm"
import { toast } from "@/ui/overlay/toast"
import type { RowActs } from "./fee-columns"
import {
  changedFeeOf,
  type FeeDraft,
  lackingOf,
  newFeeOf,
  type ShownFee,
  useFeeDrafts,
} from "./fee-drafts"
import { startingValueQuery, useAddFee, useChangeFee, useDeleteFee } from "./queries"

/** The server's message; `otherwise` when there is none or the server was not reached. */
const serverMessageOf = (error: unknown, otherwise: string) =>
  error instanceof ApiError && error.isNetwork ? otherwise : messageOf(error, otherwise)

const EARLIEST_DAY = "1980-01-01"

const isConflict = (error: unknown) => error instanceof ApiError && error.status === 409

const focusOnFault = () =>
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>("[data-field] [aria-invalid='true']")?.focus(),
  )

/** The fee rows being edited for one client, and the actions on them. */
export function useFeeActs(clientId: string) {
  const cache = useQueryClient()
  const { drafts, add, edit, change, fillStart, mark, drop } = useFeeDrafts()
  const addFee = useAddFee(clientId)
  const changeFee = useChangeFee(clientId)
  const deleteFee = useDeleteFee(clientId)
  const keyFor = useActKey()
  // A ref, so that a second press before the next render is ignored too.
  const running = useRef(new Set<string>())
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set<string>())

  const runOnce = async (key: string, act: () => Promise<unknown>) => {
    if (running.current.has(key)) return
    running.current.add(key)
    setBusy(new Set(running.current))
    await act()
    running.current.delete(key)
    setBusy(new Set(running.current))
  }
  const store = (draft: FeeDraft) => {
    if (draft.fee) return changeFee.mutateAsync(changedFeeOf(draft.fee, draft))
    const fee = newFeeOf(draft)
    return addFee.mutateAsync({ fee, key: keyFor({ row: draft.key, fee }) })
  }
  const save = async (draft: FeeDraft) => {
    const lacking = lackingOf(draft)
    mark(draft.key, lacking)
    if (lacking.length > 0) {
      toast.error("Please fill all required fields.")
      focusOnFault()
      return
    }
    try {
      await store(draft)
      drop(draft.key)
    } catch (error) {
      toast.error(serverMessageOf(error, "Error saving fee data"))
      // Someone else changed the row: the draft was based on the old one.
      if (draft.fee && isStale(error)) drop(draft.key)
    }
  }
  const remove = async ({ key, fee }: ShownFee) => {
    if (fee === null) {
      drop(key)
      toast.success("New row deleted successfully")
      return
    }
    const isSure = await confirm({
      title: "Delete this fee?",
      text: `The fee of the period from ${date(fee.startingDate)} will be removed from all lists and totals.`,
      isDanger: true,
    })
    if (!isSure) return
    try {
      await deleteFee.mutateAsync(fee)
      toast.success("Fee transaction deleted successfully")
    } catch (error) {
      const failed = "Some error occurred while deleting"
      toast.error(isConflict(error) ? serverMessageOf(error, failed) : failed)
    }
  }
  const suggestStart = async (key: string, startingDate: string) => {
    try {
      fillStart(key, startingDate, await cache.query(startingValueQuery(clientId, startingDate)))
    } catch {
      toast.error("Failed to fetch starting value")
    }
  }
  const onChange: RowActs["onChange"] = (key, fields) => {
    change(key, fields)
    // A date that is typed passes years such as 0002 on its way.
    if (fields.startingDate && fields.startingDate >= EARLIEST_DAY)
      void suggestStart(key, fields.startingDate)
  }
  const acts: Omit<RowActs, "onRefund"> = {
    onChange,
    onEdit: edit,
    onCancel: (draft) => drop(draft.key),
    onSave: (draft) => void runOnce(draft.key, () => save(draft)),
    onDelete: (row) => void runOnce(row.key, () => remove(row)),
    isBusy: (key) => busy.has(key),
  }
  const addRow = async () => {
    const key = add()
    toast.info("New row added. Please fill the details.")
    await suggestStart(key, "")
  }
  return { drafts, acts, addRow }
}

const isStale = (error: unknown) => error instanceof ApiError && error.code === "stale_version"
