import { saveFile } from "@/lib/save-file"
import { date, dateTime, today } from "@/lib/dates"
import { ObligationPill } from "@/parts/obligation-status"
import { toastError } from "@/parts/toast-error"
import { Button } from "@/ui/button"
import {
  evidenceFile,
  type EvidenceRow,
  type ObligationInstance,
  type ObligationShown,
} from "./queries"
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
            {row.opensOn <= today() && <Button onClick={() => onAdd(row.key)}>Add evidence</Button>}
          </div>
          {shown.evidence
            .filter(({ instance }) => instance === row.key)
            .map((one) => (
              <Evidence key={one._id} row={one} />
            ))}
        </li>
      ))}
    </ul>
  )
}

function Evidence({ row }: { row: EvidenceRow }) {
  const take = () => {
    evidenceFile(row._id)
      .then(({ content }) => saveFile(content, row.fileName))
      .catch(toastError)
  }
  return (
    <div className={styles.evidence}>
      <span>
        {row.note}
        {row.name !== "" && ` (${row.name})`}
        {row.fileName !== "" && (
          <Button kind="subtle" onClick={take}>
            {row.fileName}
          </Button>
        )}
      </span>
      <small>
        Recorded {dateTime(row.recordedAt)} {row.recordedBy !== null && `by ${row.recordedBy}`} ·
        proof {row.proof.slice(0, 12)}
      </small>
    </div>
  )
}
