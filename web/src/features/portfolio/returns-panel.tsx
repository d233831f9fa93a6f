import { useQuery } from "@tanstack/react-query"
import { longDate } from "@/lib/dates"
import { decimal, missing, signedPercent } from "@/lib/format"
import { Card } from "@/ui/card"
import { Facts } from "@/ui/facts"
import { Change } from "@/ui/money"
import { type Column, steadyState, Table } from "@/ui/table/table"
import styles from "./portfolio.module.css"
import { type Returns, returnsQuery, type SpanReturn } from "./queries"

const spanNames: Record<SpanReturn["span"], string> = {
  SINCE_START: "Since start",
  "1Y": "1 year",
  "3Y": "3 years",
}

const estimateWords =
  "Daily values are missing where money came or went, so this is an estimate (Modified Dietz)."

function SpanName({ row }: { row: SpanReturn }) {
  return (
    <span className={styles.span}>
      <span>
        {spanNames[row.span]}
        {row.isEstimated && (
          <span className={styles.stale} title={estimateWords}>
            Estimate<span className="sr-only">. {estimateWords}</span>
          </span>
        )}
      </span>
      <small>{row.reason ?? (row.since ? `from ${longDate(row.since)}` : null)}</small>
    </span>
  )
}

const columns: Column<SpanReturn>[] = [
  { title: "Time-weighted", cell: (row) => <SpanName row={row} />, card: "title" },
  {
    title: "Before fees",
    cell: (row) => <Change percentage={row.grossPercentage} />,
    align: "right",
    card: "main",
  },
  {
    title: "After fees",
    cell: (row) => <Change percentage={row.netPercentage} />,
    align: "right",
    card: "rest",
  },
  {
    title: "A year",
    cell: (row) => <Change percentage={row.netYearlyPercentage} />,
    align: "right",
    card: "rest",
  },
]

function drawdown({ maxDrawdown: fall }: Returns) {
  if (!fall) return missing
  return `${signedPercent(fall.percentage)}, ${longDate(fall.peakOn)} to ${longDate(fall.troughOn)}`
}

/** What the money returned by every measure, before and after fees. */
export function ReturnsPanel({ clientId }: { clientId: string }) {
  const query = useQuery(returnsQuery(clientId))
  const found = query.data
  return (
    <Card flush title="Returns">
      <Table
        label="Returns"
        columns={columns}
        rows={found?.spans}
        rowKey={(row) => row.span}
        rowName={(row) => spanNames[row.span]}
        state={steadyState(query)}
        errorMessage="Failed to fetch client data"
        skeletonRows={3}
        isDense
        empty={{ title: "No Data Available" }}
      />
      <div className={styles.measures}>
        <Facts
          isLoading={found === undefined && !query.isError}
          facts={[
            [
              "XIRR, a year",
              <span key="xirr">
                {signedPercent(found?.xirrPercentage)}
                {found?.xirrMessage && <small>{found.xirrMessage}</small>}
              </span>,
            ],
            ["Plain return, under a year", signedPercent(found?.absoluteReturnPercentage)],
            [
              "XIRR(Period)",
              found?.xirrPeriod == null ? missing : `${decimal(found.xirrPeriod)} years`,
            ],
            ["Max drawdown", found && drawdown(found)],
          ]}
        />
        <p className={styles.caution}>
          “A year” is after fees, for periods of a year and more. Reckoned here from daily values,
          not PaRRVA-verified; past returns do not assure those to come.
        </p>
      </div>
    </Card>
  )
}
