import { date, dateTime } from "@/lib/dates"
import type { Column } from "@/ui/table/table"
import styles from "./audit.module.css"
import { inWords, type TrailChange, type TrailEntry } from "./queries"

const SHOWN = 2

/** Who acted: a name, or the role where nobody is known. */
export const whoOf = (entry: TrailEntry) =>
  entry.who || (entry.accountId === null && entry.role === "SYSTEM" ? "Tarazu" : "Nobody signed in")

/** Which record: its name or its client's where it has one, and what kind it is. Its id is in the detail. */
function RecordOf({ entry }: { entry: TrailEntry }) {
  return (
    <span className={styles.record}>
      <span>{entry.recordName || inWords(entry.kind)}</span>
      {entry.recordName && <span className={styles.id}>{inWords(entry.kind)}</span>}
    </span>
  )
}

/** An id of ours or of a mail, or a hash: shown in the detail only. */
const isId = ({ after }: TrailChange) =>
  /^[\da-f]{8}-[\da-f-]{27}$|^[\da-f]{64}$|^<[^ @]+@[^ @]+>$/.test(after)

/** Days and instants as other screens show them, all else as it was stored. */
function shown(value: string) {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value)) return dateTime(value)
  return /^\d{4}-\d\d-\d\d$/.test(value) ? date(value) : value
}

function Change({ change }: { change: TrailChange }) {
  return (
    <span className={styles.change}>
      {inWords(change.field.replaceAll(/([A-Z])/g, " $1").toLowerCase())}:{" "}
      {change.before !== null && <s>{shown(change.before)}</s>} {shown(change.after)}
    </span>
  )
}

function Changes({ entry }: { entry: TrailEntry }) {
  const changes = entry.changes.filter((change) => !isId(change))
  const more = changes.length - SHOWN
  return (
    <span className={styles.changes}>
      {changes.slice(0, SHOWN).map((change) => (
        <Change key={change.field} change={change} />
      ))}
      {more > 0 && <span className="muted">and {more} more</span>}
    </span>
  )
}

export const auditColumns: Column<TrailEntry>[] = [
  {
    title: "Time",
    cell: (entry) => dateTime(entry.at),
    card: "note",
  },
  { title: "Who", cell: (entry) => <strong>{whoOf(entry)}</strong>, card: "main" },
  { title: "What", cell: (entry) => entry.sentence, card: "title" },
  { title: "Record", cell: (entry) => <RecordOf entry={entry} />, card: "rest" },
  { title: "Changes", cell: (entry) => <Changes entry={entry} />, card: "rest" },
  { title: "Address", cell: (entry) => entry.ip || "-", card: "rest" },
  { title: "No.", cell: (entry) => entry.seq, align: "right", card: "rest" },
]
