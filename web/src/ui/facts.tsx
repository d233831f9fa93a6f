import type { ReactNode } from "react"
import { missing } from "@/lib/format"
import styles from "./facts.module.css"
import { Skeleton } from "./states"
import { TermMark } from "./term-mark"

interface FactsProps {
  /** Name and value; a value that is not known shows as a dash. */
  facts: [name: string, value: ReactNode][]
  isLoading?: boolean
}

/** A record's fields, name over value, as many side by side as fit. */
export function Facts({ facts, isLoading = false }: FactsProps) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>
            {name}
            <TermMark label={name} />
          </dt>
          <dd>{isLoading ? <Skeleton width={120} /> : value || missing}</dd>
        </div>
      ))}
    </dl>
  )
}
