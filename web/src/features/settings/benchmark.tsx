import { useQuery } from "@tanstack/react-query"
import { FileUp, Trash2 } from "lucide-react"
import { useState } from "react"
import { date, dateRange } from "@/lib/dates"
import { count, missing } from "@/lib/format"
import { Button } from "@/ui/button"
import { Card, Screen } from "@/ui/card"
import { SelectField } from "@/ui/form/fields"
import { confirm } from "@/ui/overlay/confirm"
import { ErrorNote, Loading } from "@/ui/states"
import { type Column, type MenuEntry, Table } from "@/ui/table/table"
import {
  type BenchmarkRow,
  type Benchmarks,
  benchmarksQuery,
  useChooseBenchmark,
  useDeleteBenchmark,
} from "./benchmark-queries"
import { ImportBenchmark } from "./import-benchmark"
import styles from "./settings.module.css"

const kinds = { TRI: "Total return index", PRICE: "Price index, without dividends" } as const

const columns: Column<BenchmarkRow>[] = [
  { title: "Index", cell: (row) => row.name, card: "title" },
  {
    title: "Kind",
    cell: (row) => <span className={row.kind === "PRICE" ? "warn" : ""}>{kinds[row.kind]}</span>,
    card: "note",
  },
  { title: "Values", cell: (row) => count(row.values), align: "right", card: "main" },
  { title: "Days", cell: (row) => dateRange(row.firstOn, row.lastOn), card: "rest" },
  {
    title: "Missing",
    cell: (row) => <Missing row={row} />,
    card: "aside",
  },
  { title: "Source", cell: (row) => row.source, card: "rest" },
]

function Missing({ row: { gaps } }: { row: BenchmarkRow }) {
  const days = gaps.reduce((sum, gap) => sum + gap.days, 0)
  if (days === 0) return <>{missing}</>
  const last = gaps.at(-1)
  return (
    <span className="warn" title={last && `Last: ${date(last.from)} to ${date(last.to)}`}>
      {count(days)} business days
    </span>
  )
}

/** The indices whose values were imported, and the one that portfolios and calls are compared with. */
export default function BenchmarkSettings() {
  const query = useQuery(benchmarksQuery)
  if (query.isError && !query.data)
    return <ErrorNote message="Failed to fetch data" onRetry={query.refetch} />
  return query.data ? <Overview overview={query.data} /> : <Loading />
}

function Overview({ overview }: { overview: Benchmarks }) {
  const [isImporting, setIsImporting] = useState(false)
  const choose = useChooseBenchmark()
  const menu = useRowMenu(overview.chosen)
  const importButton = (
    <Button icon={<FileUp size={15} aria-hidden="true" />} onClick={() => setIsImporting(true)}>
      Import index values
    </Button>
  )
  return (
    <Screen>
      <Card
        title="Benchmark of the firm"
        note="Portfolios and calls are compared with it. A model is compared with the index that it names, if its values are here."
      >
        <div className={styles.fields}>
          <SelectField
            label="Benchmark"
            placeholder="None"
            options={overview.benchmarks.map((row) => row.name)}
            value={overview.chosen ?? ""}
            disabled={choose.isPending || overview.benchmarks.length === 0}
            description="Only a total return index has the dividends that portfolios have."
            onChange={(event) =>
              choose.mutate({
                name: event.currentTarget.value || null,
                version: overview.version,
              })
            }
          />
        </div>
      </Card>
      <Card flush title="Index values" actions={importButton}>
        <Table
          label="Index values"
          name="benchmarks"
          columns={columns}
          rows={overview.benchmarks}
          rowKey={(row) => row._id}
          rowName={(row) => row.name}
          menu={menu}
          empty={{
            title: "No Data Available",
            hint: "Download the total returns of an index from its provider and import the file.",
            action: importButton,
          }}
        />
      </Card>
      {isImporting && <ImportBenchmark onClose={() => setIsImporting(false)} />}
    </Screen>
  )
}

function useRowMenu(chosen: string | null) {
  const deletion = useDeleteBenchmark()
  const remove = async (row: BenchmarkRow) => {
    const isSure = await confirm({
      title: `Delete ${row.name}?`,
      text: `Its ${count(row.values)} values are deleted. They can be imported again.`,
      act: "Delete",
      isDanger: true,
    })
    if (isSure) deletion.mutate(row._id)
  }
  return (row: BenchmarkRow): MenuEntry[] =>
    row.name === chosen
      ? []
      : [
          {
            label: "Delete",
            icon: <Trash2 size={15} />,
            isDanger: true,
            onSelect: () => void remove(row),
          },
        ]
}
