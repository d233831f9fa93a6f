import { monthName } from "@/lib/dates"
import { count, missing, percentagePoints } from "@/lib/format"
import { Card } from "@/ui/card"
import { Change, Money } from "@/ui/money"
import { Pagination } from "@/ui/table/pagination"
import { type Column, Table } from "@/ui/table/table"
import { usePages } from "@/ui/table/use-pages"
import type { CompositeMonth } from "./types"

const columns: Column<CompositeMonth>[] = [
  { title: "Month", cell: (row) => monthName(row.month), card: "title" },
  {
    title: "By assets, gross",
    cell: (row) => <Change percentage={row.assetGross} />,
    align: "right",
    card: "main",
  },
  {
    title: "By assets, net",
    cell: (row) => <Change percentage={row.assetNet} />,
    align: "right",
    card: "aside",
  },
  { title: "Equal, gross", cell: (row) => <Change percentage={row.equalGross} />, align: "right" },
  { title: "Equal, net", cell: (row) => <Change percentage={row.equalNet} />, align: "right" },
  {
    title: "Dispersion",
    cell: (row) => (row.dispersion === null ? missing : percentagePoints(row.dispersion)),
    align: "right",
  },
  { title: "Accounts", cell: (row) => count(row.accounts), align: "right", card: "note" },
  { title: "Value", cell: (row) => <Money value={row.value} />, align: "right" },
]

/** All followers of each full calendar month. */
export function CompositeTable({ months }: { months: CompositeMonth[] }) {
  const { rows, pagination } = usePages(months.toReversed(), 12)
  return (
    <Card
      flush
      title="Composite of all followers"
      note="Full months. Who comes counts from the next month; who leaves stays in. Dispersion from six accounts on. Net of fees paid."
    >
      <Table
        label="Composite"
        name="composite"
        columns={columns}
        rows={rows}
        rowKey={(row) => row.month}
        rowName={(row) => monthName(row.month)}
        isDense
        empty={{ title: "No full month yet", hint: "The first row follows at the month’s end." }}
      />
      {months.length > 12 && (
        <Pagination {...pagination} sizes={[12, 24, 60]} label="Pages of months" />
      )}
    </Card>
  )
}
