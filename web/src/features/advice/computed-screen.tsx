import { useNavigate } from "@tanstack/react-router"
import { Send } from "lucide-react"
import { type ReactNode, useState } from "react"
import { messageOf } from "@/api/client"
import { Button } from "@/ui/button"
import { Card, Screen } from "@/ui/card"
import { Money } from "@/ui/money"
import { EmptyState, ErrorNote, Loading } from "@/ui/states"
import { StickyAction } from "@/ui/sticky-action"
import { TitleRow } from "@/ui/title-row"
import { type AdviceDraft, type Rebalance, useDraft } from "./draft"
import type { Result } from "./fewer-orders-queries"
import { SendDialog, UnansweredSend } from "./send-dialog"
import { isTraded, maySend } from "./sending"
import { PrintSheet } from "./trade-list"

interface ComputedScreenProps {
  advice: AdviceDraft
  computed: Result
  /** The screen's label of the Investment Value. */
  valueLabel: string
  /** Buttons between Back and Send. */
  actions: (answer: Rebalance) => ReactNode
  children: (answer: Rebalance) => ReactNode
}

/** The frame of result and preview: the client, progress, failure, Back and Send. */
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
      <TitleRow
        onBack={goBack}
        subject={[
          ["Client", <ClientName key="client" {...client} />],
          [valueLabel, <Money key="value" value={investment === "" ? null : investment} />],
        ]}
        actions={
          <>
            {answer && actions(answer)}
            <SendButton advice={advice} computed={computed} />
          </>
        }
      />
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
            hint="Your targets are saved."
            action={<Button onClick={goBack}>Back to the targets</Button>}
          />
        </Card>
      )}
      {answer && children(answer)}
      {answer && <PrintSheet advice={advice} answer={answer} />}
    </Screen>
  )
}

const ClientName = ({ name, code }: { name?: string; code?: string }) => (
  <>
    {name} <span className="quiet">{code}</span>
  </>
)

function SendButton({ advice, computed }: { advice: AdviceDraft; computed: Result }) {
  const [isOpen, setIsOpen] = useState(false)
  const { answer } = computed
  const orders = answer?.data.filter(isTraded).length ?? 0
  const isNothing = answer !== undefined && orders === 0
  return (
    <>
      <StickyAction>
        <Button
          kind="primary"
          icon={<Send size={15} />}
          disabled={!computed.isStored || isNothing || !maySend(advice)}
          title={isNothing ? "There is nothing to send: every row is HOLD." : undefined}
          onClick={() => setIsOpen(true)}
        >
          Send
        </Button>
      </StickyAction>
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
