import type { UseQueryResult } from "@tanstack/react-query"
import { useMemo } from "react"
import { longDate } from "@/lib/dates"
import { shortRupees, signedPercent } from "@/lib/format"
import { Card } from "@/ui/card"
import { Pagination } from "@/ui/table/pagination"
import { Table } from "@/ui/table/table"
import {
  ChartCredit,
  RangePicker,
  TimeSeriesChart,
  useChartRange,
} from "@/ui/chart/time-series-chart"
import { usePages } from "@/ui/table/use-pages"
import { dayColumns } from "./columns"
import { type DayAum, withChanges } from "./figures"
import { dailyAumFile } from "./queries"

/** `state` is the query of the days, newest first. */
export function DailyAum({ state }: { state: UseQueryResult<DayAum[]> }) {
  const days = useMemo(() => state.data && withChanges(state.data), [state.data])
  const { range, picker } = useChartRange("1Y")
  const { rows, pagination } = usePages(days, 5)
  const points = useMemo(
    () => days?.map((day) => ({ date: day.date, value: day.totalCurrentValue })).reverse() ?? [],
    [days],
  )
  const hasLine = points.length > 1
  return (
    <Card
      flush
      title="Daily AUM Value"
      note={hasLine && <ChartCredit />}
      actions={hasLine && <RangePicker {...picker} />}
    >
      {(hasLine || days === undefined) && !state.isError && (
        <div style={{ minHeight: 308, padding: "0 12px 12px" }}>
          {hasLine && (
            <TimeSeriesChart
              summary={summaryOf(points)}
              points={points}
              range={range}
              height={296}
              format={shortRupees}
            />
          )}
        </div>
      )}
      <Table
        label="Daily AUM Value"
        name="daily-aum"
        columns={dayColumns}
        download={dailyAumFile}
        rows={rows}
        rowKey={(day) => day.date}
        state={state}
        errorMessage="No AUM data available"
        empty={{ title: "No AUM data available", hint: "One row is added after each trading day." }}
      />
      {pagination.total > 0 && (
        <Pagination {...pagination} sizes={[5, 10, 20]} label="Pages of Daily AUM Value" />
      )}
    </Card>
  )
}

function summaryOf(points: { date: string; value: number }[]): string {
  const first = points[0]
  const last = points.at(-1)
  if (!first || !last) return "Daily AUM Value"
  const change = first.value > 0 ? (last.value / first.value - 1) * 100 : null
  return (
    `Daily AUM value from ${longDate(first.date)} to ${longDate(last.date)}: ` +
    `${shortRupees(first.value)} to ${shortRupees(last.value)}, ${signedPercent(change)}`
  )
}
