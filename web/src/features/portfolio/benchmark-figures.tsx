import { longDate } from "@/lib/dates"
import { missing, percent, percentagePoints } from "@/lib/format"
import { Facts } from "@/ui/facts"
import { Change, Money } from "@/ui/money"
import { type Column, Table } from "@/ui/table/table"
import styles from "./benchmark.module.css"
import type { BenchmarkData } from "./queries"

interface Measure {
  name: string
  ours: React.ReactNode
  theirs: React.ReactNode
  difference: number | null
}

const columnsFor = (name: string): Column<Measure>[] => [
  { title: "Measure", cell: (row) => row.name, card: "title" },
  { title: "Portfolio", cell: (row) => row.ours, align: "right", card: "main" },
  { title: name, cell: (row) => row.theirs, align: "right", card: "aside" },
  { title: "Difference", cell: (row) => percentagePoints(row.difference), align: "right" },
]

function measuresOf(figures: BenchmarkData): Measure[] {
  const isShort =
    figures.absoluteReturnPercentage !== null || figures.portfolioAbsoluteReturnPercentage !== null
  return [
    {
      name: isShort ? "Absolute return" : "XIRR, after fees",
      ours: (
        <Change
          percentage={
            isShort ? figures.portfolioAbsoluteReturnPercentage : figures.portfolioXirrPercentage
          }
        />
      ),
      theirs: (
        <Change percentage={isShort ? figures.absoluteReturnPercentage : figures.xirrPercentage} />
      ),
      difference: figures.differencePercentagePoints,
    },
    {
      name: "Time-weighted",
      ours: <Change percentage={figures.portfolioTwrPercentage} />,
      theirs: <Change percentage={figures.twrPercentage} />,
      difference: figures.twrDifferencePercentagePoints,
    },
    {
      name: "Max drawdown",
      ours: <Change percentage={figures.portfolioMaxDrawdown?.percentage} />,
      theirs: <Change percentage={figures.maxDrawdown?.percentage} />,
      difference: null,
    },
  ]
}

const captureText = (share: number | null | undefined, months: number | undefined) =>
  share == null ? missing : `${percent(share)} of ${months} months`

/** The same flows in the index, returns, drawdown and capture, with what is not known and why. */
export function BenchmarkFigures({ benchmark }: { benchmark: BenchmarkData }) {
  const { name, capture } = benchmark
  const reasons = new Set([benchmark.sameFlowsReason, benchmark.reason])
  return (
    <div className={styles.figures}>
      <Facts
        facts={[
          [`Same flows in ${name}`, <Money key="same" value={benchmark.sameFlowsValue} />],
          ["Portfolio", <Money key="own" value={benchmark.portfolioValue} />],
          ["Up capture", captureText(capture?.upPercentage, capture?.upMonths)],
          ["Down capture", captureText(capture?.downPercentage, capture?.downMonths)],
        ]}
      />
      <Table
        label={`Portfolio against ${name}`}
        columns={columnsFor(name)}
        rows={measuresOf(benchmark)}
        rowKey={(row) => row.name}
        rowName={(row) => row.name}
        isDense
        empty={{ title: "No Data Available" }}
      />
      <div className={styles.notes}>
        {benchmark.kind === "PRICE" && (
          <p className="warn">{name} is a price index, without dividends.</p>
        )}
        {[...reasons].map((reason) => reason && <p key={reason}>{reason}</p>)}
        <p>
          {benchmark.asOf && `As of ${longDate(benchmark.asOf)}, the last day with both values. `}
          {benchmark.since &&
            `Time-weighted return and drawdown since ${longDate(benchmark.since)}. `}
          {benchmark.isEstimated &&
            "Estimated (Modified Dietz) where money moved on days without a daily value. "}
          Not PaRRVA-verified. Past performance does not indicate future results.
        </p>
      </div>
    </div>
  )
}
