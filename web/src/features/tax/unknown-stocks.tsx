import { quantity } from "@/lib/format"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { type Column, Table } from "@/ui/table/table"
import type { EntryStock } from "./entry-draft"
import type { UnknownStock } from "./queries"

interface UnknownStocksProps {
  stocks: UnknownStock[]
  onEnter: (stock: EntryStock) => void
  onImport: () => void
  onImportHighs: () => void
}

/** Stocks whose lots are not known, with the reason and the way to mend it; nothing when all are known. */
export function UnknownStocks({ stocks, onEnter, onImport, onImportHighs }: UnknownStocksProps) {
  if (stocks.length === 0) return null
  const columns: Column<UnknownStock>[] = [
    { title: "Stock", cell: (row) => <strong>{row.tradingSymbol}</strong>, card: "title" },
    {
      title: "Shares held",
      cell: (row) => quantity(row.quantity),
      align: "right",
      card: "main",
    },
    { title: "Shares in lots", cell: (row) => quantity(row.lotQuantity), align: "right" },
    { title: "Why, and what helps", cell: (row) => row.reasonText, card: "rest" },
    {
      title: "Act",
      hideTitle: true,
      cell: (row) =>
        row.reason === "NO_HIGH" ? (
          <Button
            kind="subtle"
            aria-label={`Import highs for ${row.tradingSymbol}`}
            onClick={onImportHighs}
          >
            Import highs
          </Button>
        ) : (
          <Button
            kind="subtle"
            aria-label={`Enter lot of ${row.tradingSymbol}`}
            onClick={() => onEnter(row)}
          >
            Enter lot
          </Button>
        ),
      align: "right",
      card: "rest",
    },
  ]
  return (
    <Card
      flush
      title="Lots not known"
      note="In no sum above"
      actions={<Button onClick={onImport}>Import tradebook</Button>}
    >
      <Table
        label="Lots not known"
        columns={columns}
        rows={stocks}
        rowKey={(row) => row.isin}
        rowName={(row) => row.tradingSymbol}
        isDense
        empty={{ title: "No Data Available" }}
      />
    </Card>
  )
}
