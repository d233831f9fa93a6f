import { Loader } from "@mantine/core"
import { Check } from "lucide-react"
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
      <div className={styles.code}>
        <Field
          label="Client code"
          placeholder="C1007"
          maxLength={5}
          autoComplete="off"
          spellCheck={false}
          value={username}
          data-client-code
          onChange={(event) => {
            // Ctrl Z in the browser must not undo the code.
            const { inputType } = event.nativeEvent as InputEvent
            if (!/^history/.test(inputType)) onCode(event.currentTarget.value)
          }}
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
