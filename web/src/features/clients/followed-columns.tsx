import { date } from "@/lib/dates"
import { missing, percent, rupees, signedPercent } from "@/lib/format"
import type { components } from "@/api/schema"
import { type Column, PERCENT_WIDTH } from "@/ui/table/table"
import type { ClientRow, Followed } from "./queries"

function Drift({ row }: { row: Followed | undefined }) {
  if (row?.maxDrift === null || row?.maxDrift === undefined) return missing
  const isOutside = Math.abs(row.maxDrift) >= row.tolerancePercentage
  const tolerance = `${isOutside ? "outside" : "inside"} the tolerance of ${percent(row.tolerancePercentage)}`
  return (
    <span
      className={isOutside ? "warn" : undefined}
      title={`${row.maxDriftSymbol}, ${tolerance}, in percent of the Investment Value`}
    >
      {signedPercent(row.maxDrift)}
      {isOutside && <span className="sr-only"> outside the tolerance</span>}
    </span>
  )
}

/** Model, largest drift and last advice, as soon as they are known. */
export const followedColumns = (
  followed: ReadonlyMap<string, Followed> | undefined,
): Column<ClientRow>[] => [
  {
    title: "Model",
    cell: (client) => followed?.get(client._id)?.modelName || missing,
    card: "rest",
  },
  {
    title: "Largest Drift",
    cell: (client) => <Drift row={followed?.get(client._id)} />,
    align: "right",
    width: PERCENT_WIDTH,
    card: "rest",
  },
  {
    title: "Last Advice",
    cell: (client) => {
      const at = followed?.get(client._id)?.advisedAt
      return at ? date(at) : missing
    },
    card: "rest",
  },
]

/** The sums of all clients that match, under their columns. */
export const totalsOf = (sums: components["schemas"]["ClientSums"] | undefined) =>
  sums && {
    Choose: "",
    "Client ID": "Total",
    "Current Portfolio Value": rupees(sums.totalPortfolio),
    "Total Amount": rupees(sums.totalInvestment),
    "P&L Amount": rupees(sums.netPnL),
    "Cash Available": rupees(sums.NetCashAmount),
  }
