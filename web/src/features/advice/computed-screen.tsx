import { useNavigate } from "@tanstack/react-router"
import { ArrowLeft, Send } from "lucide-react"
import { type ReactNode, useState } from "react"
import { messageOf } from "@/api/client"
import { Button } from "@/ui/button"
import { Card, Screen } from "@/ui/card"
import { Money } from "@/ui/money"
import { EmptyState, ErrorNote, Loading } from "@/ui/states"
import { useIsPhone } from "@/ui/use-media"
import styles from "./advice.module.css"
import { type AdviceDraft, type Rebalance, useDraft } from "./draft"
import type { Computed } from "./queries"
import { SendDialog, UnansweredSend } from "./send-dialog"
import { isTraded, maySend } from "./sending"
import { PrintSheet } from "./trade-list"

interface ComputedScreenProps {
  advice: AdviceDraft
  computed: Computed
  /** What the screen calls the Investment Value. */
  valueLabel: string
  /** Buttons beside Back and Send; they see the trades. */
  actions: (answer: Rebalance) => ReactNode
  children: (answer: Rebalance) => ReactNode
}

/** What the result and the preview share: for whom, the waiting, the failure, Back and Send. */
export function ComputedScreen(props: ComputedScreenProps) {
  const { advice, computed, valueLabel, actions, children } = props
  const { client, investment } = advice
  const { answer } = computed
  const navigate = useNavigate()
  const goBack = () => void navigate({ to: "/home/advice" })
  if (!computed.question) return <NothingToShow onBack={goBack} />
  return (
    <Screen>
      <UnansweredSend />
      <div className={styles.titleRow}>
        <Button icon={<ArrowLeft size={15} aria-hidden="true" />} onClick={goBack}>
          Back
        </Button>
        <dl className={styles.subject}>
          <div>
            <dt>Client</dt>
            <dd>
              {client?.name} <span className={styles.exchange}>{client?.code}</span>
            </dd>
          </div>
          <div>
            <dt>{valueLabel}</dt>
            <dd>
              <Money value={investment === "" ? null : investment} />
            </dd>
          </div>
        </dl>
        <div className={styles.acts}>
          {answer && actions(answer)}
          <SendButton advice={advice} computed={computed} />
        </div>
      </div>
      {computed.isComputing && (
        <Card>
          <Loading text="Rebalancing..." />
        </Card>
      )}
      {!computed.isComputing && computed.error && (
        <Card>
          <ErrorNote
            message={messageOf(computed.error, "Rebalancing failed")}
            onRetry={computed.recompute}
          />
          <EmptyState
            title="Rebalancing failed"
            hint="Your targets are kept."
            action={<Button onClick={goBack}>Back to the targets</Button>}
          />
        </Card>
      )}
      {answer && children(answer)}
      {answer && <PrintSheet advice={advice} answer={answer} />}
    </Screen>
  )
}

function SendButton({ advice, computed }: { advice: AdviceDraft; computed: Computed }) {
  const [isOpen, setIsOpen] = useState(false)
  const isPhone = useIsPhone()
  const { answer } = computed
  const orders = answer?.data.filter(isTraded).length ?? 0
  const isNothing = answer !== undefined && orders === 0
  const button = (
    <Button
      kind="primary"
      icon={<Send size={15} aria-hidden="true" />}
      disabled={!answer || isNothing || !maySend(advice)}
      title={isNothing ? "There is nothing to send: every row is HOLD." : undefined}
      onClick={() => setIsOpen(true)}
    >
      Send
    </Button>
  )
  return (
    <>
      {isPhone ? <div className={styles.stuck}>{button}</div> : button}
      {isOpen && answer && (
        <SendDialog
          advice={advice}
          answer={answer}
          computed={computed}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}

/** An address opened without a draft, or after its advice was sent. */
function NothingToShow({ onBack }: { onBack: () => void }) {
  const { client } = useDraft()
  return (
    <Card>
      <EmptyState
        title="No Data Available"
        hint={client ? "No target is set yet." : "Choose a client and set targets first."}
        action={<Button onClick={onBack}>Go to Advice</Button>}
      />
    </Card>
  )
}
