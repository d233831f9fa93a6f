import { useQuery } from "@tanstack/react-query"
import { ApiError } from "@/api/client"
import { count, percent, signedPercent, tone } from "@/lib/format"
import { lastPrice, usePriceBeat } from "@/live/use-last-price"
import { CardGrid, Screen } from "@/ui/card"
import { Money, useAmountsHidden } from "@/ui/money"
import { usePageTitle } from "@/ui/page-title"
import { Sparkline } from "@/ui/chart/sparkline"
import { StatCard } from "@/ui/stat-card"
import { ErrorNote, Loading } from "@/ui/states"
import { DailyAum } from "./daily-aum"
import { lazyComponent } from "@/ui/lazy-component"
import styles from "./dashboard.module.css"
import { atLastPrices, withChanges } from "./figures"
import { Movers } from "./movers"
import { dailyAumQuery, statsQuery, stockDistributionQuery } from "./queries"
import { StockDistribution } from "./stock-distribution"
import { WorkList } from "./work-list"

const SetupList = lazyComponent(() => import("./setup-list"))

const MONTH = 30

const isSignedOut = (error: Error) => error instanceof ApiError && error.status === 401

export function Dashboard() {
  usePageTitle("Dashboard")
  useAmountsHidden()
  usePriceBeat()
  // Three calls side by side; each may fail alone and leaves only its own section empty.
  const stats = useQuery(statsQuery)
  const stocks = useQuery(stockDistributionQuery)
  const days = useQuery(dailyAumQuery)

  const now = atLastPrices(stocks.data ?? [], stats.data?.totalCurrentAUM, lastPrice)
  const dayRows = days.data && withChanges(days.data)
  const lastClose = dayRows?.[0]?.totalCurrentValue
  const sinceClose =
    now.aum !== undefined && lastClose !== undefined && lastClose > 0
      ? (now.aum / lastClose - 1) * 100
      : undefined
  const isPending = stats.isPending || stocks.isPending || days.isPending
  const cash = stats.data?.totalCashHoldings
  return (
    <Screen>
      <SetupList />
      {isPending && (
        <div className="sr-only">
          <Loading />
        </div>
      )}
      {stats.isError && stocks.isError && days.isError && (
        <ErrorNote
          message={
            isSignedOut(stats.error)
              ? "You are not logged in. Please sign in again."
              : "An error occurred while fetching dashboard data."
          }
          onRetry={() => Promise.all([stats.refetch(), stocks.refetch(), days.refetch()])}
        />
      )}
      <CardGrid>
        <StatCard
          label="Total Clients"
          isLoading={stats.isPending}
          value={count(stats.data?.totalClients)}
          context="Active"
        />
        <StatCard
          label="Total AUM"
          isLoading={stats.isPending}
          value={<Money value={now.aum} short />}
          context={
            sinceClose === undefined ? (
              "\u00a0"
            ) : (
              <span className={tone(sinceClose)}>{signedPercent(sinceClose)} since last close</span>
            )
          }
          aside={
            <Sparkline
              values={(days.data ?? [])
                .slice(0, MONTH)
                .map((day) => day.totalCurrentValue)
                .reverse()}
            />
          }
        />
        <StatCard
          label="Total Earnings"
          isLoading={stats.isPending}
          value={<Money value={stats.data?.fees} short />}
          context="Fees paid, to date"
        />
        <StatCard
          label="Total Cash Holdings"
          isLoading={stats.isPending}
          value={<Money value={cash} short />}
          context={
            cash !== undefined && now.aum !== undefined && now.aum > 0
              ? `${percent((cash / now.aum) * 100)} of AUM`
              : "\u00a0"
          }
        />
      </CardGrid>
      <div className={styles.sections}>
        <WorkList />
        <Movers />
        <DailyAum days={dayRows} state={days} />
        <StockDistribution
          shares={stocks.data && now.shares}
          cash={cash}
          aum={now.aum}
          state={stocks}
        />
      </div>
    </Screen>
  )
}
