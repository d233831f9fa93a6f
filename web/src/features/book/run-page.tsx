import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useEffect, useState } from "react"
import { NoRecord } from "@/parts/no-record"
import { Button } from "@/ui/button"
import { Screen } from "@/ui/card"
import { useAmountsHidden } from "@/ui/money"
import { usePageTitle } from "@/ui/page-title"
import { ErrorNote } from "@/ui/states"
import { isRunning, runQuery, type RunView } from "./queries"
import { RunClients } from "./run-clients"
import { RunClientDrawer } from "./run-client-drawer"
import { RunHead } from "./run-head"
import { RunProgress } from "./run-progress"
import { ReviewDialog } from "./review-dialog"
import { RunTiles } from "./run-tiles"
import { RunTotals } from "./run-totals"

interface RunPageProps {
  runId: string
  view: RunView
  onView: (change: Partial<RunView>) => void
}

/** One rebalance of the book: its progress, review, sending and outcome. */
export function RunPage({ runId, view, onView }: RunPageProps) {
  useAmountsHidden()
  const query = useQuery(runQuery(runId))
  const run = query.data
  const navigate = useNavigate()
  const [isReviewOpen, setIsReviewOpen] = useState(false)
  usePageTitle("Rebalance the book", run?.modelName)
  useFreshRows(runId, run && JSON.stringify([run.state, run.sending]))
  if (!run) {
    return (
      <NoRecord
        query={query}
        hint="This rebalance does not exist."
        action={
          <Button onClick={() => void navigate({ to: "/home/models/book" })}>
            Go to Rebalance the book
          </Button>
        }
      />
    )
  }
  return (
    <Screen>
      {query.isError && <ErrorNote message="Failed to fetch data" onRetry={query.refetch} />}
      <RunHead run={run} onReview={() => setIsReviewOpen(true)} />
      {isRunning(run) && <RunProgress run={run} />}
      {run.error !== null && <ErrorNote message={run.error} />}
      {run.state !== "COMPUTING" && run.state !== "FAILED" && (
        <>
          <RunTiles run={run} shown={view.show} onShow={(show) => onView({ show, page: 1 })} />
          <RunTotals run={run} />
          <RunClients run={run} view={view} onView={onView} />
        </>
      )}
      {view.client !== "" && (
        <RunClientDrawer
          run={run}
          view={view}
          onView={onView}
          onClose={() => onView({ client: "" })}
        />
      )}
      {isReviewOpen && run.state === "REVIEW" && (
        <ReviewDialog
          run={run}
          onClose={() => setIsReviewOpen(false)}
          onLeftOut={() => {
            setIsReviewOpen(false)
            onView({ show: "LEFT_OUT", page: 1 })
          }}
        />
      )}
    </Screen>
  )
}

/** Reads the clients again whenever the progress of the run changes. */
function useFreshRows(runId: string, progress: string | undefined) {
  const cache = useQueryClient()
  useEffect(() => {
    if (progress === undefined) return
    void cache.invalidateQueries({ queryKey: ["book", "run", runId, "clients"] })
    void cache.invalidateQueries({ queryKey: ["book", "run", runId, "client"] })
  }, [cache, runId, progress])
}
