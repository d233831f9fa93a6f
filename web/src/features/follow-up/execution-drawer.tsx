import { useQuery } from "@tanstack/react-query"
import { date } from "@/lib/dates"
import { actedAdvice, executionQuery, type FollowUpRow } from "@/parts/follow-up"
import { DetailsDrawer } from "@/ui/overlay/details-drawer"
import { ErrorNote, Loading } from "@/ui/states"
import { AdviceActs } from "./advice-acts"
import { ClientAnswers } from "./client-answers"
import { ExecutionFacts } from "./execution-facts"
import { ExecutionLines } from "./execution-lines"
import { FollowUpDraft } from "./follow-up-draft"
import { OwnTrades } from "./own-trades"

interface ExecutionDrawerProps {
  adviceId: string
  /** The rows of the board, to step through. */
  rows: FollowUpRow[]
  onAdvice: (adviceId: string) => void
}

/** What became of one advice: its figures, each line with its trades, and what the client answered. */
export function ExecutionDrawer({ adviceId, rows, onAdvice }: ExecutionDrawerProps) {
  const query = useQuery(executionQuery(adviceId))
  const execution = query.data
  // The list says who it is while the figures load; an advice of another page says so itself.
  const advice = execution ? actedAdvice(execution) : rows.find(({ _id }) => _id === adviceId)
  const title = (
    <>
      {advice?.name ?? "Advice"}{" "}
      <span className="quiet">
        {advice?.clientId} {execution && `· advice of ${date(execution.sentAt)}`}
      </span>
    </>
  )
  return (
    <DetailsDrawer
      label={advice ? `Follow-up of ${advice.name}` : "Follow-up"}
      title={title}
      width={920}
      noun="advice"
      rows={rows}
      isShown={({ _id }) => _id === adviceId}
      onStep={({ _id }) => onAdvice(_id)}
      onClose={() => onAdvice("")}
    >
      {query.isPending && <Loading />}
      {query.isError && <ErrorNote message="Failed to fetch data" onRetry={query.refetch} />}
      {execution && (
        <>
          {advice && <AdviceActs advice={advice} />}
          <FollowUpDraft execution={execution} />
          <ExecutionFacts execution={execution} />
          <section>
            <h3>Lines</h3>
            <ExecutionLines key={adviceId} execution={execution} />
          </section>
          <section>
            <h3>Client’s answers</h3>
            <ClientAnswers execution={execution} />
          </section>
          <section>
            <h3>
              Own trades <small>Stocks nobody advised, traded inside the window</small>
            </h3>
            <OwnTrades trades={execution.ownTrades} />
          </section>
        </>
      )}
    </DetailsDrawer>
  )
}
