import { useState } from "react"
import { longDate } from "@/lib/dates"
import { count, percent, rupees, shortRupees, signedPercent } from "@/lib/format"
import { Bars } from "@/ui/chart/bars"
import { Card } from "@/ui/card"
import { Change, useAmountsHidden } from "@/ui/money"
import { Pagination } from "@/ui/table/pagination"
import { Segments } from "@/ui/form/segments"
import { Table } from "@/ui/table/table"
import { TableOptions } from "@/ui/table/table-options"
import { usePages } from "@/ui/table/use-pages"
import { stockColumns } from "./columns"
import styles from "./dashboard.module.css"
import { returnOf, type StockShare } from "./figures"
import { stockDistributionFile } from "./queries"
import { useAtLastPrices } from "./use-at-last-prices"

const views = { table: "Table", bars: "Bars" } as const

export function StockDistribution() {
  const { stats, stocks: state, aum, ...now } = useAtLastPrices()
  const shares = state.data && now.shares
  const cash = stats.data?.totalCashHoldings
  const [view, setView] = useState<keyof typeof views>("table")
  const { rows, pagination } = usePages(shares, 20)
  const largest = Math.max(0, ...(shares ?? []).map((share) => share.aumPercentage))
  useAmountsHidden()
  const cashShare = cash !== undefined && aum !== undefined && aum > 0 ? (cash / aum) * 100 : null
  return (
    <div id="stock-distribution" className={styles.section}>
      <Card
        flush
        title="Stock Distribution"
        note={
          <>
            {cashShare !== null && `and ${percent(cashShare)} in cash`}
            <StalePrices shares={shares} />
          </>
        }
        actions={
          <Segments
            label="View of the stock distribution"
            choices={views}
            value={view}
            onChoice={setView}
          />
        }
      >
        {view === "bars" && rows !== undefined && rows.length > 0 && !state.isError ? (
          <div className={styles.bars}>
            <TableOptions label="Stock Distribution" download={stockDistributionFile} />
            <Bars
              label="Stocks by their share of the AUM"
              bars={rows.map((share) => ({
                name: share.symbol,
                share: share.aumPercentage,
                description: descriptionOf(share),
                asides: [
                  <span key="value" className={share.staleAt ? "price-stale" : undefined}>
                    {shortRupees(share.totalCurrentValue)}
                  </span>,
                  returnOf(share) === null ? (
                    <span className="muted">N/A</span>
                  ) : (
                    <Change percentage={returnOf(share)} />
                  ),
                ],
              }))}
            />
          </div>
        ) : (
          <Table
            label="Stock Distribution"
            name="stock-distribution"
            columns={stockColumns(largest)}
            download={stockDistributionFile}
            rows={rows}
            rowKey={(share) => `${share.exchange}:${share.symbol}`}
            state={state}
            errorMessage="No stock data available"
            isDense
            skeletonRows={10}
            empty={{ title: "No stock data available", hint: "No client holds a stock yet." }}
          />
        )}
        {pagination.total > 0 && (
          <Pagination {...pagination} sizes={[5, 10, 20]} label="Pages of Stock Distribution" />
        )}
      </Card>
    </div>
  )
}

/** How many stocks are worth what they are at a stale price, and the oldest day. */
function StalePrices({ shares }: { shares: StockShare[] | null | undefined }) {
  const days = (shares ?? []).flatMap((share) => share.staleAt ?? [])
  const oldest = days.toSorted()[0]
  if (oldest === undefined) return null
  return (
    <span className="warn">
      {` · ${days.length === 1 ? "1 stale price" : `${count(days.length)} stale prices, the oldest`}`}{" "}
      of {longDate(oldest)}
    </span>
  )
}

function descriptionOf(share: StockShare): string {
  const gained = returnOf(share)
  return (
    `${share.symbol}: ${rupees(share.totalCurrentValue)}, invested ` +
    `${rupees(share.totalInvestedValue)}, ${gained === null ? "N/A" : signedPercent(gained)}` +
    (share.staleAt ? `, stale price of ${longDate(share.staleAt)}` : "") +
    (share.actionSuspected ? ", action suspected" : "")
  )
}
