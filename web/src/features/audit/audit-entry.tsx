import { dateTime } from "@/lib/dates"
import { Modal } from "@/ui/overlay/modal"
import { whoOf } from "./audit-columns"
import styles from "./audit.module.css"
import { inWords, type TrailEntry } from "./queries"

interface AuditEntryProps {
  entry: TrailEntry | null
  onClose: () => void
}

/** One row of the trail, whole: what was before, what is after, from where, and the hash that guards it. */
export function AuditEntry({ entry, onClose }: AuditEntryProps) {
  return (
    <Modal
      title={entry === null ? "" : entry.sentence}
      isOpen={entry !== null}
      onClose={onClose}
      width={640}
    >
      {entry && <Whole entry={entry} />}
    </Modal>
  )
}

function Whole({ entry }: { entry: TrailEntry }) {
  const facts: [string, string][] = [
    ["Time", dateTime(entry.at)],
    ["Who", `${whoOf(entry)}${entry.role ? ` (${entry.role})` : ""}`],
    ["What", inWords(entry.action)],
    ["Record", [inWords(entry.kind), entry.recordName].filter(Boolean).join(", ")],
    ["Record ID", entry.recordId],
    ["Address", entry.ip || "-"],
    ["Request ID", entry.requestId || "-"],
    ["Row", `${entry.seq}`],
    ["Hash", entry.hash],
  ]
  return (
    <>
      <dl className={styles.facts}>
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {entry.changes.length > 0 && (
        <div className={styles.fields}>
          <table>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>
              {entry.changes.map((change) => (
                <tr key={change.field}>
                  <th scope="row">{change.field}</th>
                  <td>{change.before ?? "-"}</td>
                  <td>{change.after}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  )
}
