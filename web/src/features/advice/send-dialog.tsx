import { useIsMutating, useQuery } from "@tanstack/react-query"
import { TriangleAlert } from "lucide-react"
import { useRef, useState } from "react"
import { useBeforeSend } from "@/api/before-send"
import { messageOf } from "@/api/client"
import { firmDetailsQuery } from "@/api/shared-queries"
import { Button } from "@/ui/button"
import { CheckList } from "@/ui/form/check-list"
import { Actions, confirm } from "@/ui/overlay/confirm"
import { Facts } from "@/ui/facts"
import { Modal } from "@/ui/overlay/modal"
import { Money } from "@/ui/money"
import { DisclosureFields, RationaleField } from "@/parts/send-words"
import { ErrorNote } from "@/ui/states"
import { useSecond } from "@/ui/use-second"
import styles from "./advice.module.css"
import { type AdviceDraft, draft, type Rebalance, useDraft } from "./draft"
import { type Computed, useOldPrices } from "./queries"
import { adviceOf, isTraded, useSend } from "./sending"

interface SendDialogProps {
  advice: AdviceDraft
  answer: Rebalance
  computed: Computed
  onClose: () => void
}

/** The last look before a send: who, how much, how many, why. What is typed here stays in the draft. */
export function SendDialog({ advice, answer, computed, onClose }: SendDialogProps) {
  const { client, investment, rationale, disclosures } = advice
  const { send, isSending } = useSend()
  const { data: firm } = useQuery(firmDetailsQuery)
  const before = useBeforeSend(adviceOf(answer, advice))
  const rationaleField = useRef<HTMLDivElement>(null)
  const recompute = () => {
    onClose()
    computed.recompute()
  }
  const [isOpen, setIsOpen] = useState(Object.values(disclosures).some((text) => text !== ""))
  const trades = answer.data.filter(isTraded)
  const sales = trades.filter((row) => row.type === "SELL").length
  const { buyValue, sellValue } = answer.summary
  return (
    <Modal title="Send advice" isOpen onClose={isSending ? () => undefined : onClose} width={520}>
      <div className={styles.dialog}>
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
        <OldPrices computed={computed} onRecompute={onClose} />
        <RationaleField
          ref={rationaleField}
          value={rationale}
          placeholder="Why these trades: the client reads it in the letter"
          choices={firm?.rationales ?? []}
          onChange={(text) => draft.edit({ rationale: text })}
        />
        <DisclosureFields
          value={disclosures}
          isOpen={isOpen}
          onOpen={setIsOpen}
          onChange={(changed) => draft.change({ disclosures: changed })}
        />
        {before.error && (
          <ErrorNote
            message={messageOf(before.error, "Something went wrong")}
            onRetry={before.retry}
          />
        )}
        <CheckList
          checks={before.checks}
          isRead={before.isRead}
          onRead={before.setIsRead}
          here="/home/advice"
          acts={{
            rationale: () => rationaleField.current?.querySelector("textarea")?.focus(),
            price_age: recompute,
            unsettled: onClose,
            disclosures: () => setIsOpen(true),
          }}
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
      </div>
    </Modal>
  )
}

/** Says that the prices are old, and offers to recompute. */
function OldPrices({ computed, onRecompute }: { computed: Computed; onRecompute: () => void }) {
  const why = useOldPrices(computed.receivedAt, useSecond())
  if (why === null) return null
  return (
    <div className={styles.notice} role="status">
      <TriangleAlert size={16} aria-hidden="true" />
      <p>{why}</p>
      <Button
        onClick={() => {
          onRecompute()
          computed.recompute()
        }}
      >
        Recompute
      </Button>
    </div>
  )
}

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
