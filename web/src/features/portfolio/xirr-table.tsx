import { useQuery } from "@tanstack/react-query"
import { date } from "@/lib/dates"
import { missing, rupees, signedPercent, signedRupees } from "@/lib/format"
import { Card } from "@/ui/card"
import { useAmountsHidden } from "@/ui/money"
import { Pagination } from "@/ui/table/pagination"
import { type Column, steadyState, Table } from "@/ui/table/table"
import { usePages } from "@/ui/table/use-pages"
import { flowNames } from "./accounting-drafts"
import { type FlowRow, returnsFile, returnsQuery } from "./queries"

const PAGE = 20

const kinds: Record<FlowRow["kind"], string> = {
  ...flowNames,
  STARTING_CAPITAL: "Starting Capital",
  FEE_PAID: "Fees",
  PORTFOLIO_VALUE: "Portfolio Value",
}

const columns: Column<FlowRow>[] = [
  { title: "Date", cell: (row) => date(row.date), card: "title" },
  { title: "Cashflow", cell: (row) => kinds[row.kind], card: "note" },
  { title: "Amount", cell: (row) => signedRupees(row.amount), align: "right", card: "main" },
  {
    title: "Fees",
    cell: (row) => (row.fees > 0 ? rupees(row.fees) : missing),
    align: "right",
    card: "aside",
  },
]

const sumOf = (rows: FlowRow[], field: "amount" | "fees") =>
  rows.reduce((sum, row) => sum + Math.round(row[field] * 100), 0) / 100

/** Rows have no id; newest first, their place from the end is stable. */
const withKeys = (rows: FlowRow[]) =>
  new Map(rows.map((row, index) => [row, `${rows.length - index}`]))

/** The cash flows of the XIRR, from the client's side. */
export function XirrTable({ clientId }: { clientId: string }) {
  const query = useQuery(returnsQuery(clientId))
  useAmountsHidden()
  const returns = query.data
  const keys = withKeys(returns?.data ?? [])
  const { rows, pagination } = usePages(returns?.data, PAGE)
  return (
    <Card
      flush
      title="XIRR"
      note={
        returns &&
        (returns.xirrPercentage === null
          ? returns.xirrMessage
          : `${signedPercent(returns.xirrPercentage)} annualised, after fees paid`)
      }
    >
      <Table
        label="XIRR"
        name="xirr"
        download={(format) => returnsFile(clientId, format)}
        columns={columns}
        rows={rows}
        rowKey={(row) => keys.get(row) ?? row.date}
        rowName={(row) => `${kinds[row.kind]} of ${date(row.date)}`}
        state={steadyState(query)}
        errorMessage="Failed to fetch client data"
        totals={
          returns && returns.data.length > 0
            ? {
                Cashflow: "Gain after fees paid",
                Amount: signedRupees(sumOf(returns.data, "amount")),
                Fees: rupees(sumOf(returns.data, "fees")),
              }
            : undefined
        }
        empty={{
          title: "No Data Available",
          hint: "Cash flows are listed once Starting From and Starting Capital are entered.",
        }}
      />
      {pagination.total > PAGE && (
        <Pagination {...pagination} sizes={[PAGE, 50, 100]} label="Pages of XIRR" />
      )}
    </Card>
  )
}
