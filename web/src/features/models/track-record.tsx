import { useQuery } from "@tanstack/react-query"
import { FileText } from "lucide-react"
import { useState } from "react"
import { date, dateTime, longDate } from "@/lib/dates"
import { count, decimal, missing, percentagePoints, percent } from "@/lib/format"
import { Button } from "@/ui/button"
import { Card, CardGrid, Screen } from "@/ui/card"
import { Change } from "@/ui/money"
import { Notice } from "@/ui/notice"
import { StatCard } from "@/ui/stat-card"
import { EmptyState, ErrorNote, Loading } from "@/ui/states"
import { type Column, Table } from "@/ui/table/table"
import { CompositeTable } from "./composite-table"
import { FactsheetDialog } from "./factsheet-dialog"
import { trackRecordQuery } from "./queries"
import { TrackChart } from "./track-chart"
import styles from "./track-record.module.css"
import type { TrackRecord } from "./types"

/** A model's value from 100 beside its benchmark and its followers, and what is not known of it. */
export function TrackRecordPanel({ modelId }: { modelId: string }) {
  const query = useQuery(trackRecordQuery(modelId))
  const record = query.data
  if (!record) {
    return query.isError ? (
      <ErrorNote message="Failed to fetch data" onRetry={query.refetch} />
    ) : (
      <Loading />
    )
  }
  if (record.figures === null) {
    return (
      <Card>
        <EmptyState
          title="No track record yet"
          hint={
            record.madeAt === null
              ? "It is calculated within the next minutes."
              : "The model has a value from its first close with the closing prices of all its stocks. Import price files for days that are missing."
          }
        />
      </Card>
    )
  }
  return (
    <Screen>
      <Head record={record} />
      <TrackFigures record={record} />
      <TrackChart record={record} />
      <CompositeTable months={record.composite} />
      <Unknown record={record} />
    </Screen>
  )
}

function Head({ record }: { record: TrackRecord }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Notice
        tone="info"
        actions={
          <Button icon={<FileText size={15} />} onClick={() => setIsOpen(true)}>
            Factsheet
          </Button>
        }
      >
        {record.words} For others there is the factsheet, which passes the firm’s rules for past
        performance.
        {record.isCurrent ? "" : " Something changed since: new figures follow within minutes."}
      </Notice>
      {isOpen && <FactsheetDialog record={record} onClose={() => setIsOpen(false)} />}
    </>
  )
}

const yearly = (share: number | null | undefined) =>
  share == null ? "Under a year: not annualised" : `${percent(share)} a year`

function TrackFigures({ record }: { record: TrackRecord }) {
  const { figures, besideBenchmark, followers, benchmark } = record
  if (figures === null) return null
  return (
    <CardGrid>
      <StatCard
        label="Model"
        value={<Change percentage={figures.percentage} />}
        context={`${yearly(figures.yearlyPercentage)} · since ${date(figures.since)}`}
      />
      <StatCard
        label={benchmark?.name ?? "Benchmark"}
        value={<Change percentage={besideBenchmark?.line.percentage ?? null} />}
        context={
          besideBenchmark
            ? `Model less benchmark ${percentagePoints(besideBenchmark.differencePercentagePoints)}`
            : "Import the values of an index and choose it in Settings."
        }
      />
      <StatCard
        label="Followers as executed"
        value={<Change percentage={followers?.line.percentage ?? null} />}
        context={
          followers
            ? `Implementation gap ${percentagePoints(followers.differencePercentagePoints)}`
            : "No account followed on two days in a row."
        }
      />
      <StatCard
        label="Maximum drawdown"
        value={<Change percentage={figures.drawdown?.percentage ?? null} />}
        context={
          figures.drawdown
            ? `${date(figures.drawdown.peakOn)} to ${date(figures.drawdown.troughOn)}`
            : "The value never fell."
        }
      />
    </CardGrid>
  )
}

type UnknownDays = TrackRecord["unknown"][number]

const unknownColumns: Column<UnknownDays>[] = [
  {
    title: "Days",
    cell: (row) => (row.days === 1 ? date(row.from) : `${date(row.from)} – ${date(row.to)}`),
    card: "title",
  },
  { title: "Business days", cell: (row) => count(row.days), align: "right", card: "main" },
  { title: "Closing price not known", cell: (row) => row.symbols.join(", "), card: "note" },
]

/** Days without a value and why, and how the figures are made. */
function Unknown({ record }: { record: TrackRecord }) {
  const { unknown, partial, subscribers, benchmark, asOf, madeAt } = record
  return (
    <Card flush title="What is not known" note={asOf ? `As of ${longDate(asOf)}` : undefined}>
      {unknown.length > 0 && (
        <Table
          label="Days without a value"
          columns={unknownColumns}
          rows={unknown}
          rowKey={(row) => row.from}
          isDense
          maxHeight={260}
          empty={{ title: "No Data Available" }}
        />
      )}
      <div className={styles.notes}>
        {unknown.length === 0 && <p>Every business day since the launch has a value.</p>}
        {benchmark?.kind === "PRICE" && (
          <p className="warn">{benchmark.name} is a price index, without dividends.</p>
        )}
        {partial > 0 && (
          <p>
            {count(partial)} of {count(subscribers)} subscribers follow with a part of their money.
            How that part did is not known, so they are in no average.
          </p>
        )}
        <p>
          From 100 at the close at which version 1 took effect. Weights drift with closing prices;
          each version is set at the first close after its release. Corporate actions are followed,
          known dividends are kept as cash until the next version. No charges, taxes or fees are
          deducted. Followers: time-weighted daily growth of their accounts, by assets; equally
          weighted {decimal(record.followersEqual?.line.percentage ?? null)}
          {record.followersEqual ? "%" : ""}.
        </p>
        <p>Calculated {madeAt === null ? missing : dateTime(madeAt)}.</p>
      </div>
    </Card>
  )
}
