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
  "Daily values are missing on days with cash flows, so this is an estimate (Modified Dietz)."

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
  { title: "After fees", cell: (row) => <Change percentage={row.netPercentage} />, align: "right" },
  {
    title: "Annualised",
    cell: (row) => <Change percentage={row.netYearlyPercentage} />,
    align: "right",
  },
]

function drawdown({ maxDrawdown: fall }: Returns) {
  if (!fall) return missing
  return `${signedPercent(fall.percentage)}, ${longDate(fall.peakOn)} to ${longDate(fall.troughOn)}`
}

/** The returns by every measure, before and after fees. */
export function ReturnsPanel({ clientId }: { clientId: string }) {
  const query = useQuery(returnsQuery(clientId))
  const returns = query.data
  return (
    <Card flush title="Returns">
      <Table
        label="Returns"
        columns={columns}
        rows={returns?.spans}
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
          isLoading={returns === undefined && !query.isError}
          facts={[
            [
              "XIRR (annualised)",
              <span key="xirr">
                {signedPercent(returns?.xirrPercentage)}
                {returns?.xirrMessage && <small>{returns.xirrMessage}</small>}
              </span>,
            ],
            ["Absolute return", signedPercent(returns?.absoluteReturnPercentage)],
            [
              "XIRR(Period)",
              returns?.xirrPeriod == null ? missing : `${decimal(returns.xirrPeriod)} years`,
            ],
            ["Max drawdown", returns && drawdown(returns)],
          ]}
        />
        <p className={styles.caution}>
          “Annualised” is after fees, for periods of one year or more. Calculated from daily values;
          not PaRRVA-verified. Past performance does not indicate future results.
        </p>
      </div>
    </Card>
  )
}
