import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { Layers, SlidersHorizontal } from "lucide-react"
import { useCallback, useState } from "react"
import { useSession } from "@/api/use-session"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { steadyState, Table } from "@/ui/table/table"
import { useLastPage } from "@/ui/table/use-last-page"
import { BookLimitsDialog } from "./book-limits"
import { runsFile, runsQuery, type RunsView } from "./book-queries"
import { ModelChoice } from "./model-choice"
import { ModelsNav } from "./models-nav"
import { runColumns } from "./run-columns"
import { StartRun } from "./start-run"
import type { Run } from "./types"

interface BookProps {
  view: RunsView
  onView: (change: Partial<RunsView>) => void
}

/** Every rebalance of the book there was, newest first, and the way to the next. */
export function Book({ view, onView }: BookProps) {
  usePageTitle("Rebalance the book")
  const navigate = useNavigate()
  const isAdmin = useSession("role") === "ADMIN"
  const [isLimits, setIsLimits] = useState(false)
  const { page, limit, model } = view
  const runs = useQuery({
    ...runsQuery({ page, limit, model }),
    placeholderData: keepPreviousData,
  })
  const turnBack = useCallback((next: number) => onView({ page: next }), [onView])
  const last = useLastPage(runs, page, turnBack)
  const open = ({ _id: runId }: Pick<Run, "_id">) =>
    void navigate({ to: "/home/models/book/$runId", params: { runId } })
  const begin = () => onView({ start: true })
  const isFiltered = model !== ""
  return (
    <Screen>
      <ModelsNav />
      <Card flush>
        <Toolbar
          action={
            isAdmin ? (
              <Button
                kind="primary"
                icon={<Layers size={15} aria-hidden="true" />}
                data-add
                onClick={begin}
              >
                New rebalance
              </Button>
            ) : undefined
          }
        >
          <ModelChoice value={model} onChoice={(next) => onView({ model: next, page: 1 })} />
          <Button
            icon={<SlidersHorizontal size={15} aria-hidden="true" />}
            aria-haspopup="dialog"
            onClick={() => setIsLimits(true)}
          >
            Limits
          </Button>
        </Toolbar>
        <Table
          label="Rebalances of the book"
          name="book-runs"
          columns={runColumns}
          download={(format) => runsFile(model, format)}
          rows={runs.data?.data}
          rowKey={(run) => run._id}
          rowName={(run) => run.modelName}
          state={steadyState(runs)}
          onOpen={open}
          around={280}
          skeletonRows={6}
          empty={
            isFiltered
              ? {
                  title: "No Data Available",
                  hint: "This model was never rebalanced over the book.",
                  action: (
                    <Button onClick={() => onView({ model: "", page: 1 })}>Clear filters</Button>
                  ),
                }
              : {
                  title: "No Data Available",
                  hint: "A rebalance computes every subscriber of a model at one set of prices.",
                  action: isAdmin ? <Button onClick={begin}>New rebalance</Button> : undefined,
                }
          }
        />
        <Pagination
          page={Math.min(page, last)}
          limit={limit}
          total={runs.data?.pagination.totalUsers ?? 0}
          sizes={[20, 50, 100]}
          onPage={(next) => onView({ page: next })}
          onLimit={(next) => onView({ limit: next, page: 1 })}
          label="Pages of rebalances"
        />
      </Card>
      {view.start && isAdmin && (
        <StartRun model={model} onClose={() => onView({ start: false })} onStarted={open} />
      )}
      {isLimits && <BookLimitsDialog onClose={() => setIsLimits(false)} />}
    </Screen>
  )
}
