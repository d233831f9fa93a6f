import { dateTime } from "@/lib/dates"
import { count } from "@/lib/format"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import type { Run } from "./types"
import { runStateWords } from "./words"

export function RunStatePill({ run }: { run: Pick<Run, "state"> }) {
  const [word, tone] = runStateWords[run.state]
  return <StatusPill word={word} tone={tone} />
}

/** Before the sending: a dash would mean "unknown", a zero that the sending is over. */
const afterSending = (run: Run, number: number) =>
  run.state === "COMPUTING" || run.state === "REVIEW" ? (
    <span className="quiet">Not yet</span>
  ) : (
    count(number)
  )

export const runColumns: Column<Run>[] = [
  { title: "Started", cell: (run) => dateTime(run.createdAt), card: "note" },
  {
    title: "Model",
    cell: (run) => (
      <>
        <strong>{run.modelName}</strong> <span className="quiet">version {run.versionNumber}</span>
      </>
    ),
    card: "title",
  },
  { title: "State", cell: (run) => <RunStatePill run={run} />, card: "main" },
  { title: "Clients", cell: (run) => count(run.totals.clients), align: "right" },
  { title: "Included", cell: (run) => count(run.totals.included), align: "right" },
  { title: "Sent", cell: (run) => afterSending(run, run.sending.sent), align: "right" },
  {
    title: "Not Sent",
    cell: (run) => afterSending(run, run.sending.changed + run.sending.failed),
    align: "right",
  },
  { title: "By", cell: (run) => run.sentBy ?? run.author, card: "aside" },
]
