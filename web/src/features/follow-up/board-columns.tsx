import { date, dateTime } from "@/lib/dates"
import { count, decimal, missing, percent, rupees, tradingTime } from "@/lib/format"
import { type FollowUpRow, noteWords } from "@/parts/follow-up"
import { AdviceStatePill } from "@/parts/line-status"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import styles from "./follow-up.module.css"

function Read({ row }: { row: FollowUpRow }) {
  const { readAt, acknowledgedAt, reminders } = row
  const at = readAt ?? acknowledgedAt
  const how = acknowledgedAt ? "Confirmed as read" : "Opened"
  return (
    <span className={styles.two}>
      <span title={at === null ? undefined : `${how} ${dateTime(acknowledgedAt ?? at)}`}>
        {at === null ? missing : date(at)}
      </span>
      {reminders > 0 && (
        <small>{reminders === 1 ? "1 reminder" : `${count(reminders)} reminders`}</small>
      )}
    </span>
  )
}

function Shortfall({ shortfall }: Pick<FollowUpRow, "shortfall">) {
  if (shortfall?.amount == null) return missing
  return (
    <span className={styles.two}>
      <span>{rupees(shortfall.amount)}</span>
      <small>{decimal(shortfall.bps)} bp</small>
    </span>
  )
}

/** To the first trade, and below it to 90% of the shares. */
function TimeToAct({ row }: { row: FollowUpRow }) {
  if (row.minutesToFirstFill === null) return missing
  return (
    <span className={styles.two}>
      <span>{tradingTime(row.minutesToFirstFill)}</span>
      {row.minutesToNinety !== null && <small>90%: {tradingTime(row.minutesToNinety)}</small>}
    </span>
  )
}

/** The last day on which trades count, and below it what became of the follow-up. */
function WindowEnd({ row: { windowEndsOn, isOver, followUp } }: { row: FollowUpRow }) {
  return (
    <span className={styles.window}>
      <span>
        {date(windowEndsOn)}
        {isOver && <span className="muted"> over</span>}
      </span>
      {followUp && <small title={followUp.text}>{noteWords[followUp.outcome]}</small>}
    </span>
  )
}

/** Of a head with the arrow of its order and the mark of a term, in pixels. */
const WITH_MARK = 132

export const boardColumns: Column<FollowUpRow>[] = [
  {
    title: "Client",
    cell: (row) => (
      <span className={styles.client}>
        <strong>{row.name}</strong> <span className="muted">{row.clientId}</span>
      </span>
    ),
    sortKey: "name",
    width: 150,
    card: "title",
  },
  {
    title: "Sent",
    cell: (row) => <span title={dateTime(row.sentAt)}>{date(row.sentAt)}</span>,
    sortKey: "sentAt",
    card: "note",
  },
  { title: "Model", cell: (row) => row.modelName || missing, sortKey: "modelName" },
  {
    title: "State",
    cell: (row) => <AdviceStatePill state={row.state} />,
    sortKey: "state",
    card: "main",
  },
  {
    title: "Window Ends",
    cell: (row) => <WindowEnd row={row} />,
    sortKey: "windowEndsOn",
  },
  { title: "Read", cell: (row) => <Read row={row} /> },
  {
    title: "Followed %",
    cell: (row) => percent(row.followedPercentage),
    sortKey: "followedPercentage",
    align: "right",
    width: WITH_MARK,
    card: "aside",
  },
  {
    title: "Shortfall",
    cell: (row) => <Shortfall shortfall={row.shortfall} />,
    sortKey: "shortfallBps",
    align: "right",
    width: WITH_MARK,
  },
  {
    title: "Time to Act",
    cell: (row) => <TimeToAct row={row} />,
    sortKey: "minutesToFirstFill",
    align: "right",
  },
  {
    title: "Advised Value",
    cell: (row) => rupees(row.advisedValue),
    sortKey: "advisedValue",
    align: "right",
  },
  {
    title: "Questions",
    cell: (row) =>
      row.openQuestions > 0 ? (
        <StatusPill word={`${count(row.openQuestions)} open`} tone="warn" />
      ) : (
        missing
      ),
  },
]

/** What the named sets leave out. */
export const boardColumnSets: Record<string, string[]> = {
  Basic: ["Model", "Window Ends", "Shortfall", "Advised Value"],
  Cost: ["Model", "Window Ends", "Read", "Questions"],
}
