import { queryOptions, useQuery } from "@tanstack/react-query"
import { FileUp } from "lucide-react"
import { type ComponentType, useState } from "react"
import { api, dataOf } from "@/api/client"
import type { components } from "@/api/schema"
import { count, price } from "@/lib/format"
import { priceTime, sourceName } from "@/lib/price-sources"
import { Button } from "@/ui/button"
import { Card, Screen } from "@/ui/card"
import { Pagination } from "@/ui/table/pagination"
import { type Column, Table } from "@/ui/table/table"
import { usePages } from "@/ui/table/use-pages"

type SourceRow = components["schemas"]["PriceSourceRow"]
type StaleRow = components["schemas"]["StalePriceRow"]

const priceSourcesQuery = queryOptions({
  queryKey: ["price-sources"],
  staleTime: 0,
  queryFn: () => dataOf(api.GET("/admin/prices/sources")),
})

const sourceColumns: Column<SourceRow>[] = [
  { title: "Source", cell: (row) => sourceName(row.source), card: "title" },
  { title: "Stocks", cell: (row) => count(row.stocks), align: "right", card: "main" },
  {
    title: "Stale",
    cell: (row) => <span className={row.stale > 0 ? "warn" : "muted"}>{count(row.stale)}</span>,
    align: "right",
    card: "aside",
  },
  { title: "Newest", cell: (row) => priceTime(row.newestAt, row.source), card: "rest" },
  { title: "Oldest", cell: (row) => priceTime(row.oldestAt, row.source), card: "rest" },
]

const staleColumns: Column<StaleRow>[] = [
  {
    title: "Stock",
    cell: (row) => (
      <>
        <strong title={row.name}>{row.symbol}</strong> <span className="muted">{row.exchange}</span>
      </>
    ),
    card: "title",
  },
  {
    title: "Price",
    cell: (row) => <span className="price-stale">{price(row.price)}</span>,
    align: "right",
    card: "main",
  },
  { title: "Price as of", cell: (row) => priceTime(row.pricedAt, row.source), card: "rest" },
  { title: "Source", cell: (row) => sourceName(row.source), card: "rest" },
  {
    title: "Used in",
    cell: (row) => (row.isHeld ? "Holdings" : "Advice or a model"),
    card: "note",
  },
]

interface PriceSourcesProps {
  /** The dialog that imports closing prices, from another feature. */
  importDialog: ComponentType<{ onClose: () => void }>
}

/** The sources of the prices of stocks in use, and the prices that are too old to advise at. */
export default function PriceSources({ importDialog: ImportDialog }: PriceSourcesProps) {
  const [isImporting, setImporting] = useState(false)
  const query = useQuery(priceSourcesQuery)
  const { rows, pagination } = usePages(query.data?.stale, 20)
  const staleCount = query.data?.staleCount ?? 0
  return (
    <Screen>
      <Card
        flush
        title="Price sources"
        note="Stocks that are held, recently advised, or in a model."
        actions={
          <Button icon={<FileUp size={15} aria-hidden="true" />} onClick={() => setImporting(true)}>
            Import closing prices
          </Button>
        }
      >
        <Table
          label="Price sources"
          columns={sourceColumns}
          rows={query.data?.sources}
          rowKey={(row) => row.source ?? ""}
          state={query}
          empty={{ title: "No Data Available", hint: "No stock is in use yet." }}
        />
      </Card>
      {staleCount > 0 && (
        <Card
          flush
          title="Stale prices"
          note={`${count(staleCount)} of ${count(query.data?.stocks)} stocks: import the exchange's file of the last trading day, or connect a broker.`}
        >
          <Table
            label="Stale prices"
            columns={staleColumns}
            rows={rows}
            rowKey={(row) => `${row.exchange}:${row.symbol}`}
            empty={{ title: "No Data Available" }}
          />
          <Pagination {...pagination} label="Pages of stale prices" />
        </Card>
      )}
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
    </Screen>
  )
}
