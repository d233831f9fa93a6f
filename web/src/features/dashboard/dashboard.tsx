import { useQuery, type UseQueryResult } from "@tanstack/react-query"
import { ApiError } from "@/api/client"
import { signedInQuery } from "@/api/shared-queries"
import { count, percent, signedPercent, tone } from "@/lib/format"
import { CardGrid, Screen } from "@/ui/card"
import { Money, useAmountsHidden } from "@/ui/money"
import { usePageTitle } from "@/ui/page-title"
import { Notice } from "@/ui/notice"
import { Sparkline } from "@/ui/chart/sparkline"
import { StatCard } from "@/ui/stat-card"
import { ErrorNote, Loading } from "@/ui/states"
import { DailyAum } from "./daily-aum"
import { lazyComponent } from "@/ui/lazy-component"
import styles from "./dashboard.module.css"
import type { DayAum } from "./figures"
import { Movers } from "./movers"
import { dailyAumQuery, statsQuery, stockDistributionQuery } from "./queries"
import { StockDistribution } from "./stock-distribution"
import { useAtLastPrices } from "./use-at-last-prices"
import { WorkList } from "./work-list"

const SetupList = lazyComponent(() => import("./setup-list"))
const NextObligations = lazyComponent(() => import("./next-obligations"))

const MONTH = 30

const isSignedOut = (error: Error) => error instanceof ApiError && error.status === 401

export function Dashboard() {
  usePageTitle("Dashboard")
  // Three calls side by side; each may fail alone and leaves only its own section empty.
  const stats = useQuery(statsQuery)
  const stocks = useQuery(stockDistributionQuery)
  const days = useQuery(dailyAumQuery)
  const isPending = stats.isPending || stocks.isPending || days.isPending
  return (
    <Screen>
      <WhoseFigures />
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
      <Headlines days={days} />
      <div className={styles.sections}>
        <WorkList />
        <div className={styles.stack}>
          <NextObligations />
          <Movers />
        </div>
        <DailyAum state={days} />
        <StockDistribution />
      </div>
    </Screen>
  )
}

/** Whose figures these are, where they are not those of the firm. */
function WhoseFigures() {
  const { data: person } = useQuery(signedInQuery)
  const teams = person?.teams
  if (!teams) return null
  return (
    <Notice tone="info">
      {teams.length === 0
        ? "You belong to no team, so no client is shown. Ask an administrator to add you to one."
        : `These figures are of the clients of ${listed(teams)}, not of the whole firm.`}
    </Notice>
  )
}

const listed = (names: string[]) => new Intl.ListFormat("en-IN").format(names)

/** The four cards; those of the AUM follow the prices. */
function Headlines({ days: { data: days } }: { days: UseQueryResult<DayAum[]> }) {
  useAmountsHidden()
  const { stats, aum } = useAtLastPrices()
  const cash = stats.data?.totalCashHoldings
  const lastClose = days?.[0]?.totalCurrentValue
  const sinceClose =
    aum !== undefined && lastClose !== undefined && lastClose > 0
      ? (aum / lastClose - 1) * 100
      : undefined
  return (
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
        value={<Money value={aum} short />}
        context={
          sinceClose === undefined ? (
            "\u00a0"
          ) : (
            <span className={tone(sinceClose)}>{signedPercent(sinceClose)} since last close</span>
          )
        }
        aside={
          <Sparkline
            values={(days ?? [])
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
          cash !== undefined && aum !== undefined && aum > 0
            ? `${percent((cash / aum) * 100)} of AUM`
            : "\u00a0"
        }
      />
    </CardGrid>
  )
}
