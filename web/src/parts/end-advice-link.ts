import { confirm } from "@/ui/overlay/confirm"
import { toast } from "@/ui/overlay/toast"
import { toastError } from "./toast-error"

/** Asks, and ends the links of an advice. */
export async function endAdviceLink(clientName: string, end: () => Promise<string>) {
  const isSure = await confirm({
    title: `End ${clientName}’s link?`,
    text: "The link to this advice stops working. A new one can be made at any time.",
    act: "End link",
  })
  if (!isSure) return
  try {
    toast.success((await end()) || "Link ended")
  } catch (error) {
    toastError(error)
  }
}
