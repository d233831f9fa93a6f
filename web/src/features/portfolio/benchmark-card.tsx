import { useQuery } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { date, longDate } from "@/lib/dates"
import { decimal } from "@/lib/format"
import { Card } from "@/ui/card"
import {
  ChartCredit,
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
import styles from "./benchmark.module.css"
import { BenchmarkFigures } from "./benchmark-figures"
import { type BenchmarkData, performanceQuery, type SeriesPoint } from "./queries"

const views = { chart: "Chart", table: "Table" } as const
const HEIGHT = 264

/** The portfolio beside the firm's benchmark, both from 100; nothing for a firm without one. */
export function BenchmarkCard({ clientId }: { clientId: string }) {
  const { data } = useQuery(performanceQuery(clientId))
  if (!data?.benchmark) return null
  return <Compared benchmark={data.benchmark} series={data.series} />
}

interface ComparedProps {
  benchmark: BenchmarkData
  series: SeriesPoint[]
}

function Compared({ benchmark, series }: ComparedProps) {
  const [view, setView] = useState<keyof typeof views>("chart")
  const { range, picker } = useChartRange("All")
  const lines = useMemo(() => linesOf(series), [series])
  const hasLine = lines.benchmark.length > 1
  const shown = useMemo(
    () => ({
      portfolio: from100(pointsWithin(lines.portfolio, range)),
      benchmark: from100(pointsWithin(lines.benchmark, range)),
    }),
    [lines, range],
  )
  return (
    <Card
      flush
      title={`Portfolio and ${benchmark.name}`}
      note={hasLine && view === "chart" && <ChartCredit />}
      actions={
        hasLine && (
          <>
            {view === "chart" && <RangePicker {...picker} />}
            <Segments label="Benchmark as" choices={views} value={view} onChoice={setView} />
          </>
        )
      }
    >
      <div className={styles.compared} data-alone={!hasLine}>
        {hasLine && view === "chart" && (
          <div className={styles.chart}>
            <p className={styles.legend} aria-hidden="true">
              <span data-line="portfolio">Portfolio</span>
              <span data-line="benchmark">{benchmark.name}</span>
              <span>100 at the first day shown</span>
            </p>
            <TimeSeriesChart
              summary={summaryOf(shown, benchmark.name)}
              points={shown.portfolio}
              benchmark={shown.benchmark}
              range="All"
              height={HEIGHT}
              format={decimal}
            />
          </div>
        )}
        {hasLine && view === "table" && <SeriesTable series={series} name={benchmark.name} />}
        <BenchmarkFigures benchmark={benchmark} />
      </div>
    </Card>
  )
}

function SeriesTable({ series, name }: { series: SeriesPoint[]; name: string }) {
  const newestFirst = useMemo(() => series.toReversed(), [series])
  const { rows, pagination } = usePages(newestFirst, 10)
  const columns: Column<SeriesPoint>[] = [
    { title: "Date", cell: (day) => date(day.date), card: "title" },
    { title: "Portfolio", cell: (day) => decimal(day.portfolio), align: "right", card: "main" },
    { title: name, cell: (day) => decimal(day.benchmark), align: "right", card: "aside" },
  ]
  return (
    <div>
      <Table
        label="Portfolio and benchmark from 100"
        columns={columns}
        rows={rows}
        rowKey={(day) => day.date}
        rowName={(day) => date(day.date)}
        isDense
        empty={{ title: "No Data Available" }}
      />
      <Pagination {...pagination} sizes={[10, 20, 50]} label="Pages of the comparison" />
    </div>
  )
}

const linesOf = (series: SeriesPoint[]) => {
  const known = (value: (point: SeriesPoint) => number | null): Point[] =>
    series.flatMap((point) => {
      const level = value(point)
      return level === null ? [] : [{ date: point.date, value: level }]
    })
  return {
    portfolio: known((point) => point.portfolio),
    benchmark: known((point) => point.benchmark),
  }
}

/** The same points from 100 at the first of them. */
function from100(points: Point[]): Point[] {
  const first = points[0]?.value
  if (!first) return points
  return points.map((point) => ({ date: point.date, value: (point.value / first) * 100 }))
}

function summaryOf(shown: { portfolio: Point[]; benchmark: Point[] }, name: string): string {
  const first = shown.portfolio[0]
  const last = shown.portfolio.at(-1)
  const against = shown.benchmark.at(-1)
  if (!first || !last || !against) return `Portfolio and ${name}`
  return (
    `From 100 on ${longDate(first.date)}: portfolio ${decimal(last.value)} on ` +
    `${longDate(last.date)}, ${name} ${decimal(against.value)} on ${longDate(against.date)}`
  )
}
