import { useIsMutating } from "@tanstack/react-query"
import { TriangleAlert } from "lucide-react"
import { useBeforeSend } from "@/api/before-send"
import { SendFields } from "@/parts/send-fields"
import { Button } from "@/ui/button"
import { Screen } from "@/ui/card"
import { Actions, confirm } from "@/ui/overlay/confirm"
import { Facts } from "@/ui/facts"
import { Modal } from "@/ui/overlay/modal"
import { Money } from "@/ui/money"
import { Notice } from "@/ui/notice"
import { useSecond } from "@/ui/use-second"
import { type AdviceDraft, draft, type Rebalance, useDraft } from "./draft"
import type { Result } from "./fewer-orders-queries"
import { useOldPrices } from "./queries"
import { adviceOf, isTraded, useSend } from "./sending"

interface SendDialogProps {
  advice: AdviceDraft
  answer: Rebalance
  computed: Result
  onClose: () => void
}

/** The last review before a send: client, amounts, orders, texts. What is typed here stays in the draft. */
export function SendDialog({ advice, answer, computed, onClose }: SendDialogProps) {
  const { client, investment, rationale, disclosures } = advice
  const { send, isSending } = useSend()
  const before = useBeforeSend(adviceOf(answer, advice))
  const recompute = () => {
    onClose()
    computed.recompute()
  }
  const trades = answer.data.filter(isTraded)
  const sales = trades.filter((row) => row.type === "SELL").length
  const { buyValue, sellValue } = answer.summary
  return (
    <Modal title="Send advice" isOpen onClose={isSending ? () => undefined : onClose} width={520}>
      <Screen>
        <Facts
          facts={[
            ["Client", `${client?.name ?? ""} (${client?.code ?? ""})`],
            ["Orders", `${trades.length}: ${sales} SELL, ${trades.length - sales} BUY`],
            [
              "Investment Value",
              <Money key="value" value={investment === "" ? null : investment} />,
            ],
            ["To buy", <Money key="buy" value={buyValue} />],
            ["To sell", <Money key="sell" value={sellValue} />],
          ]}
        />
        <OldPrices computed={computed} onRecompute={recompute} />
        <SendFields
          rationale={rationale}
          rationalePlaceholder="Why these trades? Shown in the client's letter"
          disclosures={disclosures}
          before={before}
          here="/home/advice"
          onRationale={(text) => draft.edit({ rationale: text })}
          onDisclosures={(changed) => draft.change({ disclosures: changed })}
          onRecompute={recompute}
          onClose={onClose}
        />
        <Actions>
          <Button onClick={onClose} disabled={isSending}>
            Cancel
          </Button>
          <Button
            kind="primary"
            isBusy={isSending}
            disabled={!before.maySend}
            onClick={() =>
              send({ ...adviceOf(answer, draft.get()), acknowledged: before.acknowledged })
            }
          >
            Send {trades.length} {trades.length === 1 ? "order" : "orders"}
          </Button>
        </Actions>
      </Screen>
    </Modal>
  )
}

/** Says that the prices are old, and offers to recompute. */
function OldPrices({ computed, onRecompute }: { computed: Result; onRecompute: () => void }) {
  const why = useOldPrices(computed.receivedAt, useSecond())
  if (why === null) return null
  return (
    <Notice
      icon={<TriangleAlert size={16} />}
      actions={<Button onClick={onRecompute}>Recompute</Button>}
    >
      {why}
    </Notice>
  )
}

/** Says that a send got no answer (a lost network, a reload); sending again never creates a second advice. */
export function UnansweredSend() {
  const { sending, client } = useDraft()
  const { sendAgain } = useSend()
  const isRunning = useIsMutating({ mutationKey: ["advice", "send"] }) > 0
  if (!sending || isRunning) return null
  const stopWaiting = async () => {
    const isSure = await confirm({
      title: "Stop waiting for confirmation?",
      text: "The advice may have reached the server. Check the client's Advice History before you send another.",
      act: "Stop waiting",
    })
    if (isSure) draft.change({ sending: null })
  }
  return (
    <Notice
      role="alert"
      icon={<TriangleAlert size={16} />}
      actions={
        <>
          <Button onClick={sendAgain}>Send again</Button>
          <Button kind="subtle" onClick={() => void stopWaiting()}>
            Stop waiting
          </Button>
        </>
      }
    >
      The server has not confirmed the advice for {client?.name ?? "this client"}. Sending it again
      is safe: it is never created twice.
    </Notice>
  )
}
