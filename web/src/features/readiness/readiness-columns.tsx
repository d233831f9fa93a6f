import { age, dateTime, time } from "@/lib/dates"
import { count, missing } from "@/lib/format"
import { Change } from "@/ui/money"
import { PillAndMore } from "@/ui/pill-and-more"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import { useSecond } from "@/ui/use-second"
import { ConfirmEmpty } from "./confirm-empty"
import { brokerWords, outcomeWords, problemWords } from "./problem-words"
import type { ReadinessRow } from "./queries"
import styles from "./readiness.module.css"

function Session({ row }: { row: ReadinessRow }) {
  const now = useSecond()
  const broker = brokerWords[row.broker] ?? "No broker yet"
  const [word, tone, note] = {
    LIVE: ["Logged in", "gain", `${broker}, until ${time(row.sessionUntil)}`],
    ENDING: ["Ends soon", "warn", `${broker}, until ${time(row.sessionUntil)}`],
    UNCONFIRMED: ["To confirm", "warn", "Broker ID, in the profile"],
    NONE: [
      "Not logged in",
      "neutral",
      row.linkedAt ? `Link sent ${age(row.linkedAt, now)}` : broker,
    ],
  }[row.session] as [string, "gain" | "warn" | "neutral", string]
  return (
    <span className={styles.two}>
      <span>
        <StatusPill word={word} tone={tone} />
      </span>
      <small title={row.sessionUntil ? `Until ${dateTime(row.sessionUntil)}` : undefined}>
        {note}
      </small>
    </span>
  )
}

/** The age of the last sync, updated live, and the reason if it failed. */
function Synced({ row }: { row: ReadinessRow }) {
  const now = useSecond()
  const isWrong = row.outcome === "FAILED" || row.outcome === "DOUBTED" || row.outcome === "DEAD"
  return (
    <span className={styles.two}>
      <span title={row.syncedAt ? dateTime(row.syncedAt) : undefined}>
        {row.syncedAt ? age(row.syncedAt, now) : "Never"}
      </span>
      {isWrong && row.outcome && (
        <small className="loss" title={row.reason}>
          {outcomeWords[row.outcome]}: {row.reason}
        </small>
      )}
      {row.outcome === "DOUBTED" && (
        <span>
          <ConfirmEmpty row={row} />
        </span>
      )}
      {[...row.leftOut, ...row.lateActions].map((sentence) => (
        <small key={sentence} className="loss" title={sentence}>
          {sentence}
        </small>
      ))}
    </span>
  )
}

function Prices({ row }: { row: ReadinessRow }) {
  const now = useSecond()
  if (!row.priceAt) return missing
  return <span title={dateTime(row.priceAt)}>{age(row.priceAt, now)}</span>
}

/** The first problem, and how many more there are. */
function Problems({ row }: { row: ReadinessRow }) {
  const [first, ...others] = row.problems.map((problem) => problemWords[problem])
  if (first === undefined) return <StatusPill word="Ready" tone="gain" />
  return <PillAndMore word={first} tone="warn" more={others.length} text={others.join(", ")} />
}

export const readinessColumns: Column<ReadinessRow>[] = [
  { title: "Client ID", cell: (row) => row.clientId, card: "note" },
  { title: "Client Name", cell: (row) => <strong>{row.name}</strong>, card: "title" },
  { title: "Log-in", cell: (row) => <Session row={row} /> },
  { title: "Synced", cell: (row) => <Synced row={row} /> },
  { title: "Oldest Price", cell: (row) => <Prices row={row} /> },
  {
    title: "Unexplained",
    cell: (row) => (row.unexplained ? count(row.unexplained) : missing),
    align: "right",
  },
  {
    title: "Unknown",
    cell: (row) => (row.unmapped ? count(row.unmapped) : missing),
    align: "right",
  },
  {
    title: "Cash Mismatch",
    cell: (row) => (row.moneyDifference ? <Change value={row.moneyDifference} /> : missing),
    align: "right",
  },
  { title: "To Do", cell: (row) => <Problems row={row} />, card: "main" },
]
