import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { useCallback } from "react"
import { chooseClient } from "@/api/session"
import { today } from "@/lib/dates"
import { percent } from "@/lib/format"
import { Button } from "@/ui/button"
import { Card, CardGrid, Screen, Toolbar } from "@/ui/card"
import { DateRangeField } from "@/ui/form/date-range-field"
import { Money, useAmountsHidden } from "@/ui/money"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { StatCard } from "@/ui/stat-card"
import { ErrorNote } from "@/ui/states"
import { steadyState, Table } from "@/ui/table/table"
import { useLastPage } from "@/ui/table/use-last-page"
import { useIsPhone } from "@/ui/use-media"
import { feesCardColumns, feesColumns } from "./fees-columns"
import { type ClientFeesRow, feesFile, feesQuery, feeStatsQuery, type FeesView } from "./queries"

interface FeesProps {
  view: FeesView
  onView: (change: Partial<FeesView>) => void
}

/** What the firm charged and was paid, a row a client; a row opens the client's fees. */
export function Fees({ view, onView }: FeesProps) {
  usePageTitle("Fees")
  useAmountsHidden()
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const now = today()
  const fees = useQuery({ ...feesQuery(view), placeholderData: keepPreviousData })
  const total = fees.data?.pagination.totalUsers ?? 0
  const turnBack = useCallback((page: number) => onView({ page }), [onView])
  const last = useLastPage(fees, view.page, turnBack)

  const range = view.from === "" ? null : { from: view.from, to: view.to }
  const open = (row: ClientFeesRow) => {
    chooseClient(row._id, row.clientId)
    void navigate({ to: "/home/client/fees" })
  }
  return (
    <Screen>
      <Totals />
      <Card flush>
        <Toolbar>
          <SearchField
            label="Search by name"
            value={view.query}
            isSearching={fees.isPlaceholderData}
            width={isPhone ? "100%" : 280}
            onSearch={(query) => onView({ query, page: 1 })}
          />
          <DateRangeField
            label="Payment History"
            value={range}
            today={now}
            onRange={(next) => onView({ from: next?.from ?? "", to: next?.to ?? "", page: 1 })}
          />
          {range && (
            <Button kind="subtle" onClick={() => onView({ from: "", to: "", page: 1 })}>
              Clear filter
            </Button>
          )}
        </Toolbar>
        <Table
          label="Fees"
          name="fees"
          download={(format) => feesFile(view, format)}
          columns={isPhone ? feesCardColumns(now) : feesColumns(now)}
          rows={fees.data?.data}
          rowKey={(row) => row._id}
          rowName={(row) => row.userName}
          state={steadyState(fees)}
          sort={view.sort}
          onSort={(sort) => onView({ sort, page: 1 })}
          onOpen={open}
          around={360}
          skeletonRows={view.limit}
          empty={emptyOf(view, () => onView({ query: "", from: "", to: "", page: 1 }))}
        />
        <Pagination
          page={Math.min(view.page, last)}
          limit={view.limit}
          total={total}
          sizes={[5, 10, 20, 50]}
          onPage={(page) => onView({ page })}
          onLimit={(limit) => onView({ limit, page: 1 })}
          label="Pages of the fees"
        />
      </Card>
    </Screen>
  )
}

function Totals() {
  const stats = useQuery(feeStatsQuery)
  const { totalFees, totalPaid, totalDue } = stats.data ?? {}
  const shareOf = (part: number | undefined) =>
    part !== undefined && totalFees ? `${percent((part / totalFees) * 100)} of all fees` : "\u00a0"
  if (stats.isError)
    return <ErrorNote message="Failed to fetch data" onRetry={() => stats.refetch()} />
  return (
    <CardGrid>
      <StatCard
        label="Total Fees"
        isLoading={stats.isPending}
        value={<Money value={totalFees} short />}
        context="Paid and due, to date"
      />
      <StatCard
        label="Total Paid Fees"
        isLoading={stats.isPending}
        value={<Money value={totalPaid} short />}
        context={shareOf(totalPaid)}
      />
      <StatCard
        label="Total Due Fees"
        isLoading={stats.isPending}
        value={<Money value={totalDue} short />}
        context={shareOf(totalDue)}
      />
    </CardGrid>
  )
}

function emptyOf(view: FeesView, onClear: () => void) {
  if (view.query === "" && view.from === "") {
    return { title: "No Data Available", hint: "Fees are added in a client's Fees tab." }
  }
  return {
    title: "No Data Available",
    hint:
      view.query === ""
        ? "No fee was paid in these days."
        : `No client with fees matches “${view.query}”${view.from === "" ? "" : " in these days"}.`,
    action: <Button onClick={onClear}>Clear filters</Button>,
  }
}
