import { toastError } from "@/parts/toast-error"
import { confirm } from "@/ui/overlay/confirm"
import { toast } from "@/ui/overlay/toast"

/** Asks, has the link mailed, and tells what became of it. */
export async function sendConnectLink(name: string, send: () => Promise<unknown>) {
  const isSure = await confirm({
    title: `Send a connect link to ${name}?`,
    text: "The client gets a mail with a link to log in at the broker. Any earlier link stops working.",
    act: "Send link",
  })
  if (!isSure) return
  try {
    await send()
    toast.success("Connect link sent", { detail: `To ${name}, by mail.` })
  } catch (error) {
    toastError(error)
  }
}
