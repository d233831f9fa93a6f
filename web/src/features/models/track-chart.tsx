import { useMemo, useState } from "react"
import { date, longDate } from "@/lib/dates"
import { decimal } from "@/lib/format"
import { Card } from "@/ui/card"
import {
  ChartCredit,
  type Mark,
  type Point,
  pointsWithin,
  RangePicker,
  TimeSeriesChart,
  useChartRange,
} from "@/ui/chart/time-series-chart"
import { Segments } from "@/ui/form/segments"
import { Pagination } from "@/ui/table/pagination"
import { type Column, Table } from "@/ui/table/table"
import { usePages } from "@/ui/table/use-pages"
import styles from "./track-record.module.css"
import type { TrackPoint, TrackRecord } from "./types"

const views = { chart: "Chart", table: "Table" } as const
const HEIGHT = 280

/** The model from 100, its benchmark dashed, its followers dotted, its versions marked. */
export function TrackChart({ record }: { record: TrackRecord }) {
  const [view, setView] = useState<keyof typeof views>("chart")
  const { range, picker } = useChartRange("All")
  const name = record.benchmark?.name ?? "Benchmark"
  const lines = useMemo(() => linesOf(record.series), [record.series])
  const shown = useMemo(
    () => ({
      model: pointsWithin(lines.model, range),
      benchmark: pointsWithin(lines.benchmark, range),
      followers: pointsWithin(lines.followers, range),
    }),
    [lines, range],
  )
  const marks = useMemo(() => marksOf(record, shown.model), [record, shown.model])
  return (
    <Card
      flush
      title="Value from 100"
      note={view === "chart" && <ChartCredit />}
      actions={
        <>
          {view === "chart" && <RangePicker {...picker} />}
          <Segments label="Value as" choices={views} value={view} onChoice={setView} />
        </>
      }
    >
      {view === "chart" ? (
        <div className={styles.chart}>
          <p className={styles.legend} aria-hidden="true">
            <span data-line="model">{record.name}</span>
            {lines.benchmark.length > 1 && <span data-line="benchmark">{name}</span>}
            {lines.followers.length > 1 && <span data-line="followers">Followers</span>}
          </p>
          <TimeSeriesChart
            summary={summaryOf(record)}
            points={shown.model}
            benchmark={shown.benchmark}
            other={shown.followers}
            marks={marks}
            range="All"
            height={HEIGHT}
            format={decimal}
          />
        </div>
      ) : (
        <SeriesTable series={record.series} name={name} />
      )}
    </Card>
  )
}

function SeriesTable({ series, name }: { series: TrackPoint[]; name: string }) {
  const newestFirst = useMemo(() => series.toReversed(), [series])
  const { rows, pagination } = usePages(newestFirst, 10)
  const columns: Column<TrackPoint>[] = [
    { title: "Date", cell: (day) => date(day.date), card: "title" },
    { title: "Model", cell: (day) => decimal(day.model), align: "right", card: "main" },
    { title: name, cell: (day) => decimal(day.benchmark), align: "right", card: "aside" },
    { title: "Followers", cell: (day) => decimal(day.followers), align: "right", card: "note" },
  ]
  return (
    <div>
      <Table
        label="Model, benchmark and followers from 100"
        columns={columns}
        rows={rows}
        rowKey={(day) => day.date}
        rowName={(day) => date(day.date)}
        isDense
        empty={{ title: "No Data Available" }}
      />
      <Pagination {...pagination} sizes={[10, 20, 50]} label="Pages of values" />
    </div>
  )
}

const linesOf = (series: TrackPoint[]) => {
  const known = (line: "model" | "benchmark" | "followers"): Point[] =>
    series.flatMap((point) => {
      const value = point[line]
      return value === null ? [] : [{ date: point.date, value }]
    })
  return { model: known("model"), benchmark: known("benchmark"), followers: known("followers") }
}

/** The versions that took effect on a day that is drawn. */
const marksOf = ({ versions }: TrackRecord, drawn: Point[]): Mark[] => {
  const days = new Set(drawn.map((point) => point.date))
  return versions.flatMap(({ number, on }) =>
    on !== null && days.has(on) ? [{ date: on, text: `v${number}` }] : [],
  )
}

function summaryOf({ name, figures, besideBenchmark, benchmark, followers }: TrackRecord): string {
  if (figures === null) return name
  const parts = [
    `${name}: ${decimal(figures.percentage)}% from ${longDate(figures.since)} to ${longDate(figures.until)}`,
  ]
  if (besideBenchmark && benchmark) {
    parts.push(`${benchmark.name} ${decimal(besideBenchmark.line.percentage)}%`)
  }
  if (followers) parts.push(`followers ${decimal(followers.line.percentage)}%`)
  return parts.join(", ")
}
