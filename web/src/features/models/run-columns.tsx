import { dateTime } from "@/lib/dates"
import { count } from "@/lib/format"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import { runStateWords } from "./book-words"
import styles from "./models.module.css"
import type { Run } from "./types"

export function RunState({ run }: { run: Pick<Run, "state"> }) {
  const [word, tone] = runStateWords[run.state]
  return <StatusPill word={word} tone={tone} />
}

/** A dash would say "unknown", and a nought that it is over: before the sending there is nothing yet. */
const afterSending = (run: Run, number: number) =>
  run.state === "COMPUTING" || run.state === "REVIEW" ? (
    <span className={styles.quiet}>Not yet</span>
  ) : (
    count(number)
  )

export const runColumns: Column<Run>[] = [
  { title: "Begun", cell: (run) => dateTime(run.createdAt), card: "note" },
  {
    title: "Model",
    cell: (run) => (
      <>
        <strong>{run.modelName}</strong>{" "}
        <span className={styles.quiet}>version {run.versionNumber}</span>
      </>
    ),
    card: "title",
  },
  { title: "State", cell: (run) => <RunState run={run} />, card: "main" },
  { title: "Clients", cell: (run) => count(run.totals.clients), align: "right", card: "rest" },
  { title: "Included", cell: (run) => count(run.totals.included), align: "right", card: "rest" },
  {
    title: "Sent",
    cell: (run) => afterSending(run, run.sending.sent),
    align: "right",
    card: "rest",
  },
  {
    title: "Not Sent",
    cell: (run) => afterSending(run, run.sending.changed + run.sending.failed),
    align: "right",
    card: "rest",
  },
  { title: "By", cell: (run) => run.sentBy ?? run.author, card: "aside" },
]
