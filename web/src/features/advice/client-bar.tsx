import { Loader } from "@mantine/core"
import { Check } from "lucide-react"
import { ClientCodeField } from "@/parts/client-code-field"
import { focusFirstField } from "@/ui/form/focus-first-field"
import { Field } from "@/ui/form/fields"
import { ToolbarOptions } from "@/ui/form/options-place"
import styles from "./advice.module.css"
import { BrokerButton } from "./broker-connection"
import type { AdviceDraft } from "./draft"
import { InvestmentField } from "./investment-field"
import { StockSearch } from "./stock-search"

interface ClientBarProps {
  advice: AdviceDraft
  isLoading: boolean
  onCode: (text: string) => void
}

/** The client, the Investment Value, the broker connection and the stock search. */
export function ClientBar({ advice, isLoading, onCode }: ClientBarProps) {
  const { username, client } = advice
  return (
    <div className={styles.bar}>
      <div className={styles.code} ref={focusFirstField}>
        <ClientCodeField
          code={username}
          onCode={onCode}
          rightSection={
            isLoading ? (
              <Loader size={14} role="status" aria-label="Loading client" />
            ) : client ? (
              <Check size={16} className="gain" />
            ) : null
          }
        />
      </div>
      <div className={styles.name}>
        <Field label="Client name" readOnly value={client?.name ?? ""} tabIndex={-1} />
      </div>
      <InvestmentField advice={advice} />
      <BrokerButton />
      <StockSearch disabled={!client} />
      <ToolbarOptions />
    </div>
  )
}
