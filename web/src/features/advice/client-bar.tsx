import { Loader } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Check, Plug } from "lucide-react"
import { useState } from "react"
import { Button } from "@/ui/button"
import { Field } from "@/ui/fields"
import { MoneyField } from "@/ui/number-fields"
import { toastCentre } from "@/ui/toast"
import styles from "./advice.module.css"
import { type AdviceDraft, draft } from "./draft"
import { brokerQuery } from "./queries"
import { StockSearch } from "./stock-search"

interface ClientBarProps {
  advice: AdviceDraft
  isLoading: boolean
  onCode: (text: string) => void
}

/** Who is advised, with how much, and the search for stocks to add. */
export function ClientBar({ advice, isLoading, onCode }: ClientBarProps) {
  const { username, client, investment } = advice
  return (
    <div className={styles.bar}>
      <div className={styles.code}>
        <Field
          label="Client code"
          placeholder="C1007"
          maxLength={5}
          autoComplete="off"
          spellCheck={false}
          value={username}
          onChange={(event) => onCode(event.currentTarget.value)}
          rightSection={
            isLoading ? (
              <Loader size={14} role="status" aria-label="Loading client" />
            ) : client ? (
              <Check size={16} className="gain" aria-hidden="true" />
            ) : null
          }
        />
      </div>
      <div className={styles.name}>
        <Field label="Client name" readOnly value={client?.name ?? ""} tabIndex={-1} />
      </div>
      <div className={styles.investment}>
        <MoneyField
          label="Investment Value"
          value={investment}
          onChange={(value) => {
            // Drawing a value that was set tells it again; only what differs is an edit.
            if (value !== draft.get().investment) draft.change({ investment: value })
          }}
        />
      </div>
      <BrokerButton />
      <StockSearch disabled={!client} />
    </div>
  )
}

function BrokerButton() {
  const broker = useQuery(brokerQuery)
  const [isConnecting, setIsConnecting] = useState(false)
  const isConnected = broker.data?.isConnected === true
  const connect = async () => {
    setIsConnecting(true)
    const { data } = await broker.refetch()
    setIsConnecting(false)
    if (data?.isConnected) toastCentre.success("Broker connected successfully")
    else toastCentre.error("Failed to connect broker", { detail: "No broker is logged in." })
  }
  return (
    <Button
      icon={<Plug size={15} aria-hidden="true" />}
      disabled={isConnected}
      isBusy={isConnecting}
      onClick={() => void connect()}
    >
      {isConnected ? "Broker Connected" : "Connect Broker"}
    </Button>
  )
}
