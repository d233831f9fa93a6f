import { useQuery } from "@tanstack/react-query"
import { useNavigate } from "@tanstack/react-router"
import { chooseClient } from "@/api/session"
import { today } from "@/lib/dates"
import { percent } from "@/lib/format"
import { Button } from "@/ui/button"
import { Card, CardGrid, Screen, Toolbar } from "@/ui/card"
import { DateRangeField } from "@/ui/form/date-range-field"
import { Segments } from "@/ui/form/segments"
import { GoTo } from "@/ui/go-to"
import { Money, useAmountsHidden } from "@/ui/money"
import { usePageTitle } from "@/ui/page-title"
import { Pagination } from "@/ui/table/pagination"
import { SearchField } from "@/ui/table/search-field"
import { StatCard } from "@/ui/stat-card"
import { ErrorNote } from "@/ui/states"
import { Table } from "@/ui/table/table"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import { useIsPhone } from "@/ui/use-media"
import { feesCardColumns, feesColumns } from "./fees-columns"
import { type ClientFeesRow, feesFile, feesQuery, feeStatsQuery, type FeesView } from "./queries"

const noFilter = { query: "", from: "", to: "", due: "" } as const
const dues = { "": "All", DUE: "Due", OVERDUE: "Overdue" } as const

/** What the firm charged and was paid, a row a client; a row opens the client's fees. */
export function Fees({ view, onView }: ListProps<FeesView>) {
  usePageTitle("Fees")
  useAmountsHidden()
  const navigate = useNavigate()
  const isPhone = useIsPhone()
  const now = today()
  const list = useListScreen({ view, onView, query: feesQuery(view), noFilter })

  const open = (row: ClientFeesRow) => {
    chooseClient(row._id, row.clientId)
    void navigate({ to: "/home/client/fees" })
  }
  return (
    <Screen>
      <Totals />
      <Card flush>
        <Toolbar>
          <SearchField label="Search by name" {...list.search} />
          <Segments
            label="Fees"
            choices={dues}
            value={view.due}
            onChoice={(due) => list.filter({ due })}
          />
          <DateRangeField
            label="Payment History"
            value={list.dates.range}
            today={now}
            onRange={list.dates.onRange}
          />
          <GoTo to="/home/invoices">Invoices</GoTo>
          {list.dates.range && (
            <Button kind="subtle" onClick={() => list.dates.onRange(null)}>
              Clear filter
            </Button>
          )}
        </Toolbar>
        <Table
          {...list.table}
          label="Fees"
          name="fees"
          download={(format) => feesFile(view, format)}
          columns={isPhone ? feesCardColumns(now) : feesColumns(now)}
          rowKey={(row) => row._id}
          rowName={(row) => row.userName}
          onOpen={open}
          around={360}
          skeletonRows={view.limit}
          empty={list.empty({
            hint: "Fees are added in a client's Fees tab.",
            action: <GoTo to="/home/client/details">Choose a client</GoTo>,
            noMatch: noMatchOf(view),
          })}
        />
        <Pagination {...list.pages} sizes={[5, 10, 20, 50]} label="Pages of the fees" />
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

function noMatchOf({ query, from, due }: FeesView) {
  if (query === "" && due !== "")
    return due === "DUE" ? "No client has fees due." : "No client has overdue fees."
  if (query === "") return "No fee was paid in these days."
  return `No client with fees matches “${query}”${from === "" ? "" : " in these days"}.`
}
