import { quantity } from "@/lib/format"
import { Card } from "@/ui/card"
import { Change, useAmountsHidden } from "@/ui/money"
import { type Column, Table } from "@/ui/table/table"
import type { Harvestable } from "./queries"

const columns: Column<Harvestable>[] = [
  { title: "Stock", cell: (row) => <strong>{row.tradingSymbol}</strong>, card: "title" },
  { title: "Shares", cell: (row) => quantity(row.quantity), align: "right" },
  { title: "Loss", cell: (row) => <Change value={row.gain} />, align: "right", card: "main" },
]

/** Lots whose sale at today's price would make a loss, which set-off could use. */
export function HarvestTable({ losses }: { losses: Harvestable[] }) {
  useAmountsHidden()
  return (
    <Card flush title="Harvestable losses" note="At the latest prices, oldest lots first">
      <Table
        label="Harvestable losses"
        columns={columns}
        rows={losses}
        rowKey={(row) => row.isin}
        rowName={(row) => row.tradingSymbol}
        isDense
        empty={{ title: "No Data Available", hint: "No lot would be sold at a loss today." }}
      />
    </Card>
  )
}
