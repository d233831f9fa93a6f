import { ArrowLeft } from "lucide-react"
import type { ReactNode } from "react"
import { Button } from "./button"
import styles from "./title-row.module.css"

interface TitleRowProps {
  backLabel?: string
  onBack: () => void
  /** Name, value and tooltip of what the screen is about. */
  subject?: [name: string, value: ReactNode, tooltip?: string][]
  /** At the right. */
  actions?: ReactNode
  children?: ReactNode
}

/** The first row of a detail screen: back, what it is about, and its actions. */
export function TitleRow(props: TitleRowProps) {
  const { backLabel = "Back", onBack, subject, actions, children } = props
  return (
    <div className={styles.row}>
      <Button icon={<ArrowLeft size={15} />} onClick={onBack}>
        {backLabel}
      </Button>
      {subject && (
        <dl className={styles.subject}>
          {subject.map(([name, value, tooltip]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd title={tooltip}>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {children}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
