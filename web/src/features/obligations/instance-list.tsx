import { date, today } from "@/lib/dates"
import { ObligationPill } from "@/parts/obligation-status"
import { Button } from "@/ui/button"
import { askedOf, EvidenceItem, PrepareButton } from "./evidence-item"
import type { ObligationInstance, ObligationShown } from "./queries"
import styles from "./obligations.module.css"

/** Times of the future that are shown. */
const AHEAD = 2

/** The newest first; of what is not due yet, only the next. */
function shownOf(instances: ObligationInstance[]) {
  const ahead = instances.filter(({ status }) => status === "NOT_DUE").slice(0, AHEAD)
  return instances.filter((row) => row.status !== "NOT_DUE" || ahead.includes(row)).reverse()
}

interface InstanceListProps {
  shown: ObligationShown
  onAdd: (instance: string) => void
}

/** Each time that an obligation is due, with its evidence. */
export function InstanceList({ shown, onAdd }: InstanceListProps) {
  const rows = shownOf(shown.instances)
  if (rows.length === 0) return <p className="muted">Nothing is open.</p>
  return (
    <ul className={styles.list}>
      {rows.map((row) => (
        <li key={row.key}>
          <div className={styles.instance}>
            <span>
              {row.dueOn === null ? "No fixed day" : `Due ${date(row.dueOn)}`}
              {row.text !== "" && <small>{row.text}</small>}
            </span>
            <ObligationPill status={row.status} isDoneLate={row.isDoneLate} />
            {row.opensOn <= today() && (
              <span className={styles.acts}>
                {shown.prepares !== "" && <PrepareButton id={shown._id} instance={row.key} />}
                <Button onClick={() => onAdd(row.key)}>Add evidence</Button>
              </span>
            )}
          </div>
          {shown.evidence
            .filter(({ instance }) => instance === row.key)
            .map((one) => (
              <EvidenceItem key={one._id} row={one} asked={askedOf(shown)} />
            ))}
        </li>
      ))}
    </ul>
  )
}
