import { useIsMutating } from "@tanstack/react-query"
import { TriangleAlert } from "lucide-react"
import { Button } from "@/ui/button"
import { confirm } from "@/ui/confirm"
import styles from "./advice.module.css"
import { draft, useDraft } from "./draft"
import { useSend } from "./use-send"

/** Says that a send got no answer (a lost network, a reload), and finishes it without doing it twice. */
export function UnansweredSend() {
  const { sending, client } = useDraft()
  const { sendAgain } = useSend()
  const isRunning = useIsMutating({ mutationKey: ["advice", "send"] }) > 0
  if (!sending || isRunning) return null
  const forget = async () => {
    const isSure = await confirm({
      title: "Give up this send?",
      text: "It may have reached the server. Look in the client's Advice History before you send another.",
      act: "Give up",
    })
    if (isSure) draft.change({ sending: null })
  }
  return (
    <div className={styles.notice} role="alert">
      <TriangleAlert size={16} aria-hidden="true" />
      <p>
        The advice for {client?.name ?? "this client"} got no answer. Sending it again is safe: it
        is never created twice.
      </p>
      <Button onClick={sendAgain}>Send again</Button>
      <Button kind="subtle" onClick={() => void forget()}>
        Give up
      </Button>
    </div>
  )
}
