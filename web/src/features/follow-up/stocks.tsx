import { today } from "@/lib/dates"
import { count, decimal, percent, rupees } from "@/lib/format"
import { useFreshFollowUp } from "@/parts/use-fresh-follow-up"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { DateRangeField } from "@/ui/form/date-range-field"
import { GoTo } from "@/ui/go-to"
import { useAmountsHidden } from "@/ui/money"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { type Column, PERCENT_WIDTH, Table } from "@/ui/table/table"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import { FollowUpNav } from "./follow-up-nav"
import { type StockRow, stocksFile, stocksQuery, type StocksView } from "./queries"

const noFilter = { query: "", from: "", to: "", model: "" } as const

const columns: Column<StockRow>[] = [
  {
    title: "Stock",
    cell: (row) => <strong>{row.tradingSymbol}</strong>,
    sortKey: "tradingSymbol",
    card: "title",
  },
  { title: "ISIN", cell: (row) => row.isin, card: "note" },
  { title: "Lines", cell: (row) => count(row.lines), sortKey: "lines", align: "right" },
  { title: "Acted", cell: (row) => count(row.acted), sortKey: "acted", align: "right" },
  {
    title: "Acted %",
    cell: (row) => percent(row.actedPercentage),
    sortKey: "actedPercentage",
    align: "right",
    width: PERCENT_WIDTH,
    card: "aside",
  },
  {
    title: "Median Slippage (bp)",
    cell: (row) => decimal(row.medianSlippageBps),
    sortKey: "medianSlippageBps",
    align: "right",
    card: "main",
  },
  {
    title: "90th Percentile (bp)",
    cell: (row) => decimal(row.p90SlippageBps),
    sortKey: "p90SlippageBps",
    align: "right",
  },
  {
    title: "Advised Value",
    cell: (row) => rupees(row.advisedValue),
    sortKey: "advisedValue",
    align: "right",
  },
  { title: "Traded Value", cell: (row) => rupees(row.filledValue), align: "right" },
  {
    title: "Days of Volume",
    cell: (row) => decimal(row.daysOfVolume),
    sortKey: "daysOfVolume",
    align: "right",
  },
]

/** How the advice on each stock was carried out over all clients: the dearest to trade first. */
export function FollowUpStocks({ view, onView }: ListProps<StocksView>) {
  usePageTitle("Follow-up by stock")
  useAmountsHidden()
  useFreshFollowUp()
  const list = useListScreen({ view, onView, query: stocksQuery(view), noFilter })
  return (
    <Screen>
      <FollowUpNav />
      <Card flush>
        <Toolbar>
          <SearchField label="Search by stock" {...list.search} />
          <DateRangeField
            label="Dates sent"
            value={list.dates.range}
            today={today()}
            onRange={list.dates.onRange}
          />
          {list.dates.range && (
            <Button kind="subtle" onClick={() => list.dates.onRange(null)}>
              Clear dates
            </Button>
          )}
        </Toolbar>
        <Table
          {...list.table}
          label="Follow-up by stock"
          name="follow-up-stocks"
          columns={columns}
          isDense
          download={(format) => stocksFile(view, format)}
          rowKey={(row) => row.isin}
          rowName={(row) => row.tradingSymbol}
          around={280}
          skeletonRows={10}
          empty={list.empty({
            hint: "Stocks appear here once clients’ trades are read after an advice.",
            action: <GoTo to="/home/readiness">Go to Readiness</GoTo>,
            noMatch: "No stock matches these filters.",
          })}
        />
        <Pagination {...list.pages} sizes={[20, 50, 100, 200]} label="Pages of stocks" />
      </Card>
    </Screen>
  )
}
