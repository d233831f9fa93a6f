import { useIsMutating } from "@tanstack/react-query"
import { TriangleAlert } from "lucide-react"
import { useState } from "react"
import { ApiError } from "@/api/client"
import { Button } from "@/ui/button"
import { Actions, confirm } from "@/ui/confirm"
import { Facts } from "@/ui/facts"
import { TextField } from "@/ui/fields"
import { Modal } from "@/ui/modal"
import { Money } from "@/ui/money"
import { useSecond } from "@/ui/use-second"
import styles from "./advice.module.css"
import { type AdviceDraft, type Disclosures, draft, type Rebalance, useDraft } from "./draft"
import { type Computed, useOldPrices } from "./queries"
import { adviceOf, isTraded, useSend } from "./sending"

interface SendDialogProps {
  advice: AdviceDraft
  answer: Rebalance
  computed: Computed
  onClose: () => void
}

const questions: Record<keyof Disclosures, string> = {
  holdings: "Holdings of the analyst and relatives in these stocks",
  conflicts: "Conflicts of interest",
  compensation: "Compensation received",
}

const isRationaleMissing = (error: unknown) =>
  error instanceof ApiError && error.code === "rationale_required"

/** The last look before a send: who, how much, how many, why. What is typed here stays in the draft. */
export function SendDialog({ advice, answer, computed, onClose }: SendDialogProps) {
  const { client, investment, rationale, disclosures } = advice
  const { send, isSending, error } = useSend()
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
        <TextField
          label="Rationale"
          data-autofocus
          value={rationale}
          maxLength={5000}
          placeholder="Why these trades: the client reads it in the letter"
          error={isRationaleMissing(error) && rationale.trim() === "" ? error?.message : undefined}
          onChange={(event) => draft.edit({ rationale: event.currentTarget.value })}
        />
        <details
          className={styles.disclosures}
          open={isOpen}
          onToggle={(event) => setIsOpen(event.currentTarget.open)}
        >
          <summary>Disclosures for this advice</summary>
          <p>Left empty, the firm&apos;s own text stands in the letter.</p>
          {(Object.keys(questions) as (keyof Disclosures)[]).map((name) => (
            <TextField
              key={name}
              label={questions[name]}
              minRows={2}
              maxLength={1000}
              value={disclosures[name]}
              onChange={(event) =>
                draft.change({ disclosures: { ...disclosures, [name]: event.currentTarget.value } })
              }
            />
          ))}
        </details>
        <Actions>
          <Button onClick={onClose} disabled={isSending}>
            Cancel
          </Button>
          <Button
            kind="primary"
            isBusy={isSending}
            onClick={() => send(adviceOf(answer, draft.get()))}
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
