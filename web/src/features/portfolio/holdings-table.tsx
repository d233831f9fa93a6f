import { FileUp } from "lucide-react"
import { useState } from "react"
import { age, dateTime, longDate } from "@/lib/dates"
import { count, percent, rupees } from "@/lib/format"
import { type FeedState, useFeed } from "@/live/feed"
import { Card, Toolbar } from "@/ui/card"
import { Button } from "@/ui/button"
import { Change, useAmountsHidden } from "@/ui/money"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { type Download, type Fetching, Table } from "@/ui/table/table"
import { useIsPhone } from "@/ui/use-media"
import { useSecond } from "@/ui/use-second"
import { usePages } from "@/ui/table/use-pages"
import { useSteadyOrder } from "@/ui/table/use-steady-order"
import { holdingColumns, holdingSets, sorted } from "./holding-columns"
import type { HoldingSums, LiveHolding } from "./live-figures"

const PHONE_PAGE = 10

interface HoldingsTableProps {
  /** Valued at the newest prices; undefined while they load. */
  rows: LiveHolding[] | undefined
  totals: HoldingSums | undefined
  /** The time of the newest price of the server. */
  pricedAt: string | null | undefined
  state: Fetching
  onImport: () => void
  /** All holdings as a file. */
  download: Download
}

const idOf = (holding: LiveHolding) => holding.instrumentToken.toString()

const matches = (holding: LiveHolding, query: string) =>
  [holding.tradingSymbol, holding.isin].some((text) => text.toLowerCase().includes(query))

export function HoldingsTable(props: HoldingsTableProps) {
  const { rows, totals, pricedAt, state, onImport, download } = props
  const [query, setQuery] = useState("")
  useAmountsHidden()
  const [sort, setSort] = useState("-allocation")
  const isPhone = useIsPhone()
  const steady = useSteadyOrder(rows && sorted(rows, sort), idOf, sort)
  const shown = steady?.filter((holding) => matches(holding, query.toLowerCase()))
  const pages = usePages(shown, PHONE_PAGE)
  const largest = Math.max(0, ...(rows ?? []).map((holding) => holding.allocation))
  const search = rows !== undefined && rows.length > 0 && (
    <SearchField
      label="Search holdings"
      placeholder="Search by symbol or ISIN"
      value={query}
      width={isPhone ? "calc(100% - 48px)" : 240}
      onSearch={setQuery}
    />
  )
  const isFiltered = query !== ""
  return (
    <Card
      flush
      title="Your Holdings"
      note={<PriceAge at={pricedAt} rows={rows} />}
      actions={
        <>
          {!isPhone && search}
          <Button icon={<FileUp size={15} />} onClick={onImport}>
            Import holdings
          </Button>
        </>
      }
    >
      {isPhone && search && <Toolbar>{search}</Toolbar>}
      <Table
        label="Your Holdings"
        name="holdings"
        columns={holdingColumns(largest)}
        columnSets={holdingSets}
        download={download}
        // On a desktop they scroll in their frame; on a phone they are paged.
        rows={isPhone ? pages.rows : shown}
        rowKey={idOf}
        rowName={(holding) => holding.tradingSymbol}
        state={state}
        sort={sort}
        onSort={setSort}
        totals={
          totals && !isFiltered
            ? {
                Invested: rupees(totals.invested),
                "Current Value": rupees(totals.currentValue),
                "P&L": <Change value={totals.pnl} />,
                "P&L%": <Change percentage={totals.pnlPercentage} />,
                Allocation: percent(totals.currentValue > 0 ? 100 : 0),
              }
            : undefined
        }
        empty={
          isFiltered
            ? {
                title: "No Data Available",
                hint: `No holding matches “${query}”.`,
                action: <Button onClick={() => setQuery("")}>Clear search</Button>,
              }
            : {
                title: "No Data Available",
                hint: "Holdings come from the broker, or from a broker's file.",
                action: <Button onClick={onImport}>Import holdings</Button>,
              }
        }
      />
      {isPhone && pages.pagination.total > PHONE_PAGE && (
        <Pagination {...pages.pagination} label="Pages of Your Holdings" />
      )}
    </Card>
  )
}

interface PriceAgeProps {
  at: string | null | undefined
  rows: LiveHolding[] | undefined
}

/** What needs no age: prices that move, and those whose feed is only being connected. */
const withoutAge: ReadonlySet<FeedState> = new Set(["connecting", "live", "simulated"])

/** How many prices are stale, or how old they are while the feed is off. */
function PriceAge({ at, rows = [] }: PriceAgeProps) {
  const feed = useFeed()
  const now = useSecond()
  const days = rows.flatMap((row) => (row.isStale && row.pricedAt ? [row.pricedAt] : []))
  const oldest = days.toSorted()[0]
  if (oldest !== undefined)
    return (
      <span className="warn">
        {days.length === 1 ? "1 stale price" : `${count(days.length)} stale prices, the oldest`} of{" "}
        {longDate(oldest)}
      </span>
    )
  if (!at || withoutAge.has(feed.state)) return null
  return (
    <span className={feed.isStale ? "price-stale" : undefined}>
      Prices as of {dateTime(at)}, {age(at, now)}
    </span>
  )
}
