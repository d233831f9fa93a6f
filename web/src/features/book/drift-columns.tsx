import { date } from "@/lib/dates"
import { missing, percent, rupees } from "@/lib/format"
import { type Column, PERCENT_WIDTH } from "@/ui/table/table"
import { ActionPending } from "@/parts/action-pending"
import { DriftCell } from "@/parts/drift-cell"
import type { DriftRow } from "@/parts/models"

function Furthest({ row }: { row: DriftRow }) {
  if (row.priceMissing.length > 0)
    return (
      <span className="warn" title={row.priceMissing.join(", ")}>
        No price: {row.priceMissing.slice(0, 2).join(", ")}
        {row.priceMissing.length > 2 && ` +${row.priceMissing.length - 2}`}
      </span>
    )
  return (
    <DriftCell
      drift={row.maxDrift}
      symbol={row.maxDriftSymbol}
      tolerance={row.tolerancePercentage}
    />
  )
}

export const driftColumns: Column<DriftRow>[] = [
  { title: "Client ID", cell: (row) => row.clientId, sortKey: "clientId", card: "note" },
  {
    title: "Client Name",
    cell: (row) => (
      <>
        <strong>{row.name}</strong>
        {row.actionPending && (
          <>
            {" "}
            <ActionPending />
          </>
        )}
      </>
    ),
    card: "title",
  },
  {
    title: "Model",
    cell: (row) => (
      <>
        {row.modelName} <span className="quiet">version {row.versionNumber}</span>
      </>
    ),
  },
  {
    title: "Largest Drift, % of Investment Value",
    cell: (row) => <Furthest row={row} />,
    sortKey: "maxDrift",
    card: "main",
  },
  {
    title: "Total Drift",
    cell: (row) => percent(row.totalDrift),
    sortKey: "totalDrift",
    align: "right",
    width: PERCENT_WIDTH,
    card: "aside",
  },
  {
    title: "Cash",
    cell: (row) => percent(row.cashPercentage),
    sortKey: "cashPercentage",
    align: "right",
    width: PERCENT_WIDTH,
  },
  {
    title: "Outside the Model",
    cell: (row) => percent(row.outsidePercentage),
    sortKey: "outsidePercentage",
    align: "right",
    width: PERCENT_WIDTH,
  },
  {
    title: "Investment Value",
    cell: (row) => rupees(row.investmentValue),
    sortKey: "investmentValue",
    align: "right",
  },
  { title: "Holdings as of", cell: (row) => (row.syncedAt ? date(row.syncedAt) : missing) },
]
