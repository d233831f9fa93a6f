import { useQuery } from "@tanstack/react-query"
import { useMemo, useState } from "react"
import { date, type Day, longDate } from "@/lib/dates"
import { rupees, shortRupees } from "@/lib/format"
import { Card } from "@/ui/card"
import { Change, useAmountsHidden } from "@/ui/money"
import { Pagination } from "@/ui/table/pagination"
import { Segments } from "@/ui/form/segments"
import { ErrorNote, Skeleton } from "@/ui/states"
import { type Column, steadyState, Table } from "@/ui/table/table"
import {
  ChartCredit,
  type Point,
  pointsWithin,
  RangePicker,
  TimeSeriesChart,
  useChartRange,
} from "@/ui/chart/time-series-chart"
import { usePages } from "@/ui/table/use-pages"
import styles from "./portfolio.module.css"
import { type DayValue, performanceFile, performanceQuery } from "./queries"

const views = { chart: "Chart", table: "Table" } as const
const HEIGHT = 296
const firstClose =
  "The chart starts after the first daily close (trading days, after market close)."

const columns: Column<DayValue>[] = [
  { title: "Date", cell: (day) => date(day.date), card: "title" },
  { title: "Portfolio Value", cell: (day) => rupees(day.value), align: "right", card: "main" },
  {
    title: "Net Investment",
    cell: (day) => rupees(day.netInvestment),
    align: "right",
    card: "note",
  },
  {
    title: "P&L Amount",
    cell: (day) => (
      <Change value={day.netInvestment === null ? null : day.value - day.netInvestment} />
    ),
    align: "right",
    card: "aside",
  },
]

/** Names the stocks whose shares some daily values lack, because their price is not known. */
function NotAdjusted({ symbols = [] }: { symbols?: string[] | undefined }) {
  if (symbols.length === 0) return null
  return (
    <p className={styles.soon} role="note">
      Daily values around the corporate action of {symbols.join(", ")} lack the new shares: their
      price or their number on these days is not known.
    </p>
  )
}

/** The portfolio's value against the net investment, day by day. */
export function PerformanceChart({ clientId }: { clientId: string }) {
  const query = useQuery(performanceQuery(clientId))
  useAmountsHidden()
  const [view, setView] = useState<keyof typeof views>("chart")
  const { range, picker } = useChartRange("All")
  const days = query.data?.data
  const newestFirst = useMemo(() => days?.toReversed(), [days])
  const { rows, pagination } = usePages(newestFirst, 10)
  const lines = useMemo(() => linesOf(days ?? []), [days])
  const [pointed, setPointed] = useState<Day | null>(null)
  const shown = {
    value: pointsWithin(lines.value, range),
    invested: pointsWithin(lines.invested, range),
  }
  const hasLine = lines.value.length > 1
  const isBlank = days?.length === 1 && days.every((day) => !day.value && !day.netInvestment)
  const isTable = view === "table" || !(hasLine || query.isPending)
  return (
    <Card
      flush
      title="Performance"
      note={!isTable && <ChartCredit />}
      actions={
        (hasLine || query.isPending) && (
          <>
            {!isTable && <RangePicker {...picker} />}
            <Segments label="Performance as" choices={views} value={view} onChoice={setView} />
          </>
        )
      }
    >
      {query.isError && days === undefined ? (
        <div className={styles.measures}>
          <ErrorNote message="Failed to fetch client data" onRetry={query.refetch} />
        </div>
      ) : isTable && days !== undefined ? (
        <>
          <Table
            label="Performance"
            name="performance"
            download={(format) => performanceFile(clientId, format)}
            columns={columns}
            // Before the starting date and capital are entered, today's zeros mean nothing.
            rows={isBlank ? [] : rows}
            rowKey={(day) => day.date}
            rowName={(day) => date(day.date)}
            state={steadyState(query)}
            empty={{ title: "No Data Available", hint: firstClose }}
          />
          <NotAdjusted symbols={query.data?.closesNotAdjusted} />
          {!hasLine && !isBlank && <p className={styles.soon}>{firstClose}</p>}
          {pagination.total > 10 && (
            <Pagination {...pagination} sizes={[10, 20, 50]} label="Pages of Performance" />
          )}
        </>
      ) : (
        <div className={styles.chart}>
          <NotAdjusted symbols={query.data?.closesNotAdjusted} />
          <Legend day={days?.find((day) => day.date === pointed)} />
          <div style={{ minHeight: HEIGHT }}>
            {query.isPending && <Skeleton height={HEIGHT} />}
            {hasLine && (
              <TimeSeriesChart
                summary={summaryOf(shown.value, shown.invested)}
                points={lines.value}
                benchmark={shown.invested}
                range={range}
                height={HEIGHT}
                format={shortRupees}
                onDay={setPointed}
              />
            )}
          </div>
        </div>
      )}
    </Card>
  )
}

const linesOf = (days: DayValue[]) => ({
  value: days.map((day) => ({ date: day.date, value: day.value })),
  invested: days.flatMap(({ date, netInvestment }) =>
    netInvestment === null ? [] : [{ date, value: netInvestment }],
  ),
})

/** The names of the lines, with the figures of the day under the pointer. */
function Legend({ day }: { day: DayValue | undefined }) {
  return (
    <p className={styles.legend} aria-hidden="true">
      <span data-line="value">Portfolio Value {day && <strong>{rupees(day.value)}</strong>}</span>
      <span data-line="invested">
        Net Investment {day && <strong>{rupees(day.netInvestment)}</strong>}
      </span>
      {day && <time>{date(day.date)}</time>}
    </p>
  )
}

function summaryOf(value: Point[], invested: Point[]): string {
  const first = value[0]
  const last = value.at(-1)
  const against = invested.at(-1)
  if (!first || !last) return "Portfolio value"
  return (
    `Portfolio value from ${longDate(first.date)} to ${longDate(last.date)}: ` +
    `${shortRupees(first.value)} to ${shortRupees(last.value)}` +
    (against ? `, against a net investment of ${shortRupees(against.value)}` : "")
  )
}
