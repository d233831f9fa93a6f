import { useQuery } from "@tanstack/react-query"
import { date } from "@/lib/dates"
import { count, percent } from "@/lib/format"
import { StatusPill } from "@/ui/status-pill"
import type { Column } from "@/ui/table/table"
import { DriftCell } from "@/parts/drift-cell"
import { driftQuery, type ModelRow } from "@/parts/models"

/** The largest drift among the subscribers. */
function WorstDrift({ model }: { model: ModelRow }) {
  const { data } = useQuery({
    ...driftQuery({ page: 1, limit: 1, query: "", model: model._id, outside: false }),
    enabled: model.subscribers > 0,
  })
  const [worst] = data?.data ?? []
  return <DriftCell drift={worst?.maxDrift} tolerance={worst?.tolerancePercentage} />
}

export const modelColumns: Column<ModelRow>[] = [
  { title: "Model", cell: (model) => <strong>{model.name}</strong>, card: "title" },
  {
    title: "Version",
    cell: ({ latest }) => (
      <>
        {latest.number} <span className="quiet">· {date(latest.createdAt)}</span>
      </>
    ),
    card: "note",
  },
  { title: "Benchmark", cell: ({ latest }) => latest.benchmark },
  { title: "Stocks", cell: ({ latest }) => count(latest.stocks), align: "right" },
  { title: "Cash", cell: ({ latest }) => percent(latest.cashPercentage), align: "right" },
  { title: "Subscribers", cell: (model) => count(model.subscribers), align: "right" },
  {
    title: "Worst Drift, % of Investment Value",
    cell: (model) => <WorstDrift model={model} />,
    card: "aside",
  },
  {
    title: "Status",
    cell: ({ status }) => (
      <StatusPill
        word={status === "ACTIVE" ? "Active" : "Retired"}
        tone={status === "ACTIVE" ? "gain" : "neutral"}
      />
    ),
    card: "main",
  },
]
