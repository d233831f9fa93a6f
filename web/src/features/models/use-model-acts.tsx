import { messageOf } from "@/api/client"
import { count } from "@/lib/format"
import { confirm } from "@/ui/overlay/confirm"
import { toast } from "@/ui/overlay/toast"
import { useChangeModel } from "./queries"
import type { ModelRow } from "./types"

/** Retires a model after a question, or takes it back into use at once. */
export function useModelStatus() {
  const change = useChangeModel()
  return async (model: ModelRow) => {
    const isActive = model.status === "ACTIVE"
    const isSure =
      !isActive ||
      (await confirm({
        title: `Retire ${model.name}?`,
        text: retiring(model.subscribers),
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
        onSuccess: () => toast.success(`${model.name} is ${isActive ? "retired" : "in use again"}`),
        onError: (error) => toast.error(messageOf(error, "Something went wrong")),
      },
    )
  }
}

const retiring = (subscribers: number) =>
  subscribers === 0
    ? "It keeps its versions and can be taken back."
    : `The book cannot be rebalanced to it any more. Its ${count(subscribers)} subscribers and its versions stay.`
