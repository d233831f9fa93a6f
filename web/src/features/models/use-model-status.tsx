import { Archive, ArchiveRestore } from "lucide-react"
import { count } from "@/lib/format"
import type { ModelRow } from "@/parts/models"
import { toastError } from "@/parts/toast-error"
import { confirm } from "@/ui/overlay/confirm"
import { toast } from "@/ui/overlay/toast"
import { useChangeModel } from "./queries"

/** The menu entry that retires a model or reactivates it. */
export const statusEntry = ({ status }: ModelRow, onSelect: () => void) => ({
  label: status === "ACTIVE" ? "Retire" : "Reactivate",
  icon: status === "ACTIVE" ? <Archive size={15} /> : <ArchiveRestore size={15} />,
  onSelect,
})

/** Retires a model after a question, or reactivates it at once. */
export function useModelStatus() {
  const change = useChangeModel()
  return async (model: ModelRow) => {
    const isActive = model.status === "ACTIVE"
    const isSure =
      !isActive ||
      (await confirm({
        title: `Retire ${model.name}?`,
        text: retirementText(model.subscribers),
        act: "Retire",
      }))
    if (!isSure) return
    change.mutate(
      {
        modelId: model._id,
        version: model.version,
        status: isActive ? "RETIRED" : "ACTIVE",
      },
      {
        onSuccess: () => toast.success(`${model.name} is ${isActive ? "retired" : "active again"}`),
        onError: toastError,
      },
    )
  }
}

const retirementText = (subscribers: number) =>
  subscribers === 0
    ? "Its versions are kept, and it can be reactivated."
    : `It can no longer be rebalanced over the book. Its ${count(subscribers)} subscribers and its versions are kept.`
