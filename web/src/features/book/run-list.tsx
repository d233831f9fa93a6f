import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { Layers, SlidersHorizontal } from "lucide-react"
import { useCallback, useState } from "react"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { steadyState, Table } from "@/ui/table/table"
import { useLastPage } from "@/ui/table/use-last-page"
import { BookLimitsDialog } from "./limits-dialog"
import { runsFile, runsQuery, type RunsView } from "./queries"
import { ModelChoice } from "./model-choice"
import { ModelsNav } from "@/parts/models-nav"
import { runColumns } from "./run-columns"
import { StartRun } from "./start-run"
import type { Run } from "./types"

interface RunListProps {
  view: RunsView
  onView: (change: Partial<RunsView>) => void
}

/** All rebalances of the book, newest first, and the dialog that starts a new one. */
export function RunList({ view, onView }: RunListProps) {
  usePageTitle("Rebalance the book")
  const navigate = useNavigate()
  const [isLimitsOpen, setIsLimitsOpen] = useState(false)
  const { page, limit, model } = view
  const runs = useQuery({
    ...runsQuery({ page, limit, model }),
    placeholderData: keepPreviousData,
  })
  const goToPage = useCallback((next: number) => onView({ page: next }), [onView])
  const last = useLastPage(runs, page, goToPage)
  const open = ({ _id: runId }: Pick<Run, "_id">) =>
    void navigate({ to: "/home/models/book/$runId", params: { runId } })
  const start = () => onView({ start: true })
  const isFiltered = model !== ""
  return (
    <Screen>
      <ModelsNav />
      <Card flush>
        <Toolbar
          action={
            <Button
              kind="primary"
              icon={<Layers size={15} aria-hidden="true" />}
              data-add
              onClick={start}
            >
              New rebalance
            </Button>
          }
        >
          <ModelChoice value={model} onChoice={(next) => onView({ model: next, page: 1 })} />
          <Button
            icon={<SlidersHorizontal size={15} aria-hidden="true" />}
            aria-haspopup="dialog"
            onClick={() => setIsLimitsOpen(true)}
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
                  hint: "This model has not been rebalanced yet.",
                  action: (
                    <Button onClick={() => onView({ model: "", page: 1 })}>Clear filters</Button>
                  ),
                }
              : {
                  title: "No Data Available",
                  hint: "A rebalance computes the trades of all subscribers of a model at the same prices.",
                  action: <Button onClick={start}>New rebalance</Button>,
                }
          }
        />
        <Pagination
          page={Math.min(page, last)}
          limit={limit}
          total={runs.data?.pagination.totalUsers ?? 0}
          sizes={[20, 50, 100]}
          onPage={goToPage}
          onLimit={(next) => onView({ limit: next, page: 1 })}
          label="Pages of rebalances"
        />
      </Card>
      {view.start && (
        <StartRun model={model} onClose={() => onView({ start: false })} onStarted={open} />
      )}
      {isLimitsOpen && <BookLimitsDialog onClose={() => setIsLimitsOpen(false)} />}
    </Screen>
  )
}
