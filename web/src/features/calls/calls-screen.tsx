import { Download } from "lucide-react"
import { useState } from "react"
import { today } from "@/lib/dates"
import { decimal, count, percent, percentagePoints } from "@/lib/format"
import { ModelsNav } from "@/parts/models-nav"
import { Button } from "@/ui/button"
import { Card, CardGrid, Screen, Toolbar } from "@/ui/card"
import { DateRangeField } from "@/ui/form/date-range-field"
import { SelectField } from "@/ui/form/fields"
import { Segments } from "@/ui/form/segments"
import { GoTo } from "@/ui/go-to"
import { Change } from "@/ui/money"
import { Notice } from "@/ui/notice"
import { usePageTitle } from "@/ui/page-title"
import { StatCard } from "@/ui/stat-card"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { Table } from "@/ui/table/table"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import { callColumns } from "./call-columns"
import { ExportDialog } from "./export-dialog"
import { type CallsRecord, type CallsView, callsQuery, type HitRate } from "./queries"

const noFilter = { query: "", from: "", to: "", state: "", verdict: "", model: "" } as const
const states = { "": "All", OPEN: "Open", CLOSED: "Closed" } as const
const verdicts = { "": "All", HIT: "Hits", MISS: "Misses", UNKNOWN: "Not known" } as const

/** Every advised purchase until its advised sale, and how often it was right. */
export function CallsScreen({ view, onView }: ListProps<CallsView>) {
  usePageTitle("Calls")
  const [isExporting, setIsExporting] = useState(false)
  const list = useListScreen({ view, onView, query: callsQuery(view), noFilter })
  const record = list.result.data
  return (
    <Screen>
      <ModelsNav />
      {(record || !list.result.isError) && <Metrics record={record} />}
      <Card flush>
        <Toolbar
          action={
            <Button icon={<Download size={15} />} onClick={() => setIsExporting(true)}>
              Export record
            </Button>
          }
        >
          <SearchField label="Search by symbol or ISIN" {...list.search} />
          <Segments
            label="State"
            choices={states}
            value={view.state}
            onChoice={(state) => list.filter({ state })}
          />
          <Segments
            label="Result"
            choices={verdicts}
            value={view.verdict}
            onChoice={(verdict) => list.filter({ verdict })}
          />
          <SelectField
            label="Model"
            hideLabel
            options={record?.models ?? []}
            placeholder="All models"
            value={view.model}
            onChange={(event) => list.filter({ model: event.currentTarget.value })}
          />
          <DateRangeField
            label="Sent"
            value={list.dates.range}
            today={today()}
            onRange={list.dates.onRange}
          />
        </Toolbar>
        <Table
          {...list.table}
          label="Calls"
          name="calls"
          isDense
          columns={callColumns}
          rowKey={(row) => row._id}
          rowName={(row) => row.tradingSymbol}
          around={360}
          skeletonRows={10}
          empty={list.empty({
            hint: "Every purchase that is advised becomes a call.",
            action: <GoTo to="/home/models">Go to Models</GoTo>,
            noMatch: "No call matches.",
          })}
        />
        <Pagination {...list.pages} sizes={[20, 50, 100, 200]} label="Pages of calls" />
      </Card>
      {isExporting && <ExportDialog onClose={() => setIsExporting(false)} />}
    </Screen>
  )
}

const intervalOf = ({ hits, count: all, low, high }: HitRate) =>
  low === null || high === null
    ? "No call yet"
    : `${count(hits)} of ${count(all)}, 95% interval ${decimal(low)}–${percent(high)}`

/** Of all calls, whatever is filtered; undefined while they load. */
function Metrics({ record }: { record: CallsRecord | undefined }) {
  const isLoading = record === undefined
  return (
    <>
      {record && record.whyNoBenchmark !== null && (
        <Notice tone="info" actions={<GoTo to="/home/settings">Go to Settings</GoTo>}>
          {record.whyNoBenchmark}
        </Notice>
      )}
      <CardGrid>
        <StatCard
          label="Better than the benchmark"
          isLoading={isLoading}
          value={percent(record?.hits.percentage)}
          context={record ? intervalOf(record.hits) : "\u00a0"}
        />
        <StatCard
          label="Gain after charges"
          isLoading={isLoading}
          value={percent(record?.gains.percentage)}
          context={record ? intervalOf(record.gains) : "\u00a0"}
        />
        <StatCard
          label="Mean return of a call"
          isLoading={isLoading}
          value={<Change percentage={record?.meanPercentage} />}
          context={`Above the benchmark ${percentagePoints(record?.meanDifferencePercentagePoints)}`}
        />
        <StatCard
          label="Calls"
          isLoading={isLoading}
          value={count(record?.total)}
          context={`${count(record?.open)} open, ${count(record?.unknown)} without a figure`}
        />
      </CardGrid>
      <Notice tone="info">
        All calls, none left out. An advice to many clients at once is one call of each stock.
        Entry: the first price at least 60 seconds after the dispatch, else the next opening price,
        else the first close. Exit: the first advice to sell; open calls are at the last close. With
        dividends, after charges of an order of ₹1,00,000. {record?.words}
      </Notice>
    </>
  )
}
