import { lazy, Suspense, useState } from "react"
import type { Day } from "@/lib/dates"
import { monthsBefore } from "@/lib/dates"
import { quiet } from "@/lib/quiet"
import { Segments } from "@/ui/form/segments"
import { Skeleton } from "@/ui/states"
import styles from "./time-series-chart.module.css"

/** The drawing is the heaviest part of its screen: the figures beside it are shown first. */
const Plot = lazy(async () => {
  await quiet()
  return import("./time-series-plot")
})

export interface Point {
  date: Day
  value: number
}

export interface Mark {
  date: Day
  text: string
}

const ranges = { "1M": 1, "3M": 3, "6M": 6, "1Y": 12, All: null } as const
type ChartRange = keyof typeof ranges
const labels: Record<ChartRange, string> = {
  "1M": "1M",
  "3M": "3M",
  "6M": "6M",
  "1Y": "1Y",
  All: "All",
}

/** The points of the last months of a series, oldest first. */
export function pointsWithin(points: Point[], range: ChartRange): Point[] {
  const months = ranges[range]
  const last = points.at(-1)
  if (months === null || !last) return points
  const start = monthsBefore(last.date, months)
  return points.filter((point) => point.date >= start)
}

interface TimeSeriesChartProps {
  /** One sentence for those who do not see the drawing. */
  summary: string
  /** Oldest first, one a day. */
  points: Point[]
  /** A second series to hold against it, drawn dashed. */
  benchmark?: Point[]
  /** A third series, drawn dotted. */
  other?: Point[]
  /** Days to be marked under the line; each must have a point. */
  marks?: Mark[]
  height?: number
  range: ChartRange
  format: (value: number) => string
  /** Told the day under the pointer, and null once it has left. */
  onDay?: (day: Day | null) => void
}

/** A series over time: crosshair, last-value tag, drag to zoom. The drawing is loaded when it is first needed. */
export function TimeSeriesChart({
  summary,
  points,
  range,
  height = 220,
  ...rest
}: TimeSeriesChartProps) {
  return (
    <div role="img" aria-label={summary} className={styles.frame} style={{ height }}>
      <Suspense fallback={<Skeleton height={height} />}>
        <Plot points={pointsWithin(points, range)} height={height} {...rest} />
      </Suspense>
    </div>
  )
}

/** Holds the range of a chart; spread `chart` on the chart and put `<RangePicker {...picker} />` in the heading. */
export function useChartRange(first: ChartRange = "1Y") {
  const [range, setRange] = useState<ChartRange>(first)
  return { range, picker: { range, onRange: setRange } }
}

export function RangePicker({
  range,
  onRange,
}: {
  range: ChartRange
  onRange: (range: ChartRange) => void
}) {
  return <Segments label="Range of the chart" choices={labels} value={range} onChoice={onRange} />
}

/** The link that the chart library's licence asks for. */
export function ChartCredit() {
  return (
    <a
      className={styles.credit}
      href="https://www.tradingview.com/"
      target="_blank"
      rel="noreferrer noopener"
    >
      Chart: TradingView
    </a>
  )
}
