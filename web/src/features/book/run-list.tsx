import { useNavigate } from "@tanstack/react-router"
import { Layers, SlidersHorizontal } from "lucide-react"
import { useState } from "react"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { Table } from "@/ui/table/table"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import { BookLimitsDialog } from "./limits-dialog"
import { runsFile, runsQuery, type RunsView } from "./queries"
import { ModelChoice } from "./model-choice"
import { ModelsNav } from "@/parts/models-nav"
import { runColumns } from "./run-columns"
import { StartRun } from "./start-run"
import type { Run } from "./types"

const noFilter = { model: "" }

/** All rebalances of the book, newest first, and the dialog that starts a new one. */
export function RunList({ view, onView }: ListProps<RunsView>) {
  usePageTitle("Rebalance the book")
  const navigate = useNavigate()
  const [isLimitsOpen, setIsLimitsOpen] = useState(false)
  const { model } = view
  const list = useListScreen({ view, onView, query: runsQuery(view), noFilter })
  const open = ({ _id: runId }: Pick<Run, "_id">) =>
    void navigate({ to: "/home/models/book/$runId", params: { runId } })
  const start = () => onView({ start: true })
  return (
    <Screen>
      <ModelsNav />
      <Card flush>
        <Toolbar
          action={
            <Button kind="primary" icon={<Layers size={15} />} data-add onClick={start}>
              New rebalance
            </Button>
          }
        >
          <ModelChoice value={model} onChoice={(next) => list.filter({ model: next })} />
          <Button
            icon={<SlidersHorizontal size={15} />}
            aria-haspopup="dialog"
            onClick={() => setIsLimitsOpen(true)}
          >
            Limits
          </Button>
        </Toolbar>
        <Table
          {...list.table}
          label="Rebalances of the book"
          name="book-runs"
          columns={runColumns}
          download={(format) => runsFile(model, format)}
          rowKey={(run) => run._id}
          rowName={(run) => run.modelName}
          onOpen={open}
          around={280}
          skeletonRows={6}
          empty={list.empty({
            hint: "A rebalance computes the trades of all subscribers of a model at the same prices.",
            action: <Button onClick={start}>New rebalance</Button>,
            noMatch: "This model has not been rebalanced yet.",
          })}
        />
        <Pagination {...list.pages} sizes={[20, 50, 100]} label="Pages of rebalances" />
      </Card>
      {view.start && (
        <StartRun model={model} onClose={() => onView({ start: false })} onStarted={open} />
      )}
      {isLimitsOpen && <BookLimitsDialog onClose={() => setIsLimitsOpen(false)} />}
    </Screen>
  )
}
