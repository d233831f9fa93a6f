import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useCallback } from "react"
import { useSession } from "@/api/use-session"
import { today } from "@/lib/dates"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { FilterMenu } from "@/ui/table/filter-menu"
import { Pagination } from "@/ui/table/pagination"
import { steadyState, Table } from "@/ui/table/table"
import { useLastPage } from "@/ui/table/use-last-page"
import { orderColumns } from "./order-columns"
import { ORDER_STATUSES, type OrderBookView, orderBookFile, orderBookQuery, PAGE } from "./queries"

interface OrderBookProps {
  view: OrderBookView
  onView: (change: Partial<OrderBookView>) => void
}

/** What the client's broker reports of orders, newest first. */
export function OrderBook({ view, onView }: OrderBookProps) {
  const clientId = useSession("clientId") ?? ""
  const book = useQuery({
    ...orderBookQuery(clientId, view),
    placeholderData: keepPreviousData,
  })
  const total = book.data?.pagination.totalUsers ?? 0
  // The next client may have fewer pages than the one before.
  const turnBack = useCallback((page: number) => onView({ page }), [onView])
  useLastPage(book, view.page, turnBack)

  const filter = (change: Partial<OrderBookView>) => onView({ ...change, page: 1 })
  const clear = () => filter({ from: "", to: "", status: "" })
  const isFiltered = view.from !== "" || view.status !== ""
  return (
    <Screen>
      <Card flush>
        <Toolbar>
          <FilterMenu
            range={view.from === "" ? null : { from: view.from, to: view.to }}
            onRange={(range) => filter({ from: range?.from ?? "", to: range?.to ?? "" })}
            today={today()}
            statuses={ORDER_STATUSES}
            status={view.status}
            onStatus={(word) =>
              filter({ status: ORDER_STATUSES.find((each) => each === word) ?? "" })
            }
          />
        </Toolbar>
        <Table
          label="Order Book"
          name="order-book"
          columns={orderColumns}
          download={(format) => orderBookFile(clientId, view, format)}
          rows={book.data?.orders}
          rowKey={(order) => order._id}
          rowName={(order) => order.tradingSymbol}
          state={steadyState(book)}
          empty={
            isFiltered
              ? {
                  title: "No Data Available",
                  hint: "No order fits these filters.",
                  action: <Button onClick={clear}>Clear filters</Button>,
                }
              : {
                  title: "No Data Available",
                  hint: "Orders that the client's broker reports stand here.",
                }
          }
        />
        {total > 0 && (
          <Pagination
            page={view.page}
            limit={view.limit}
            total={total}
            sizes={[10, PAGE, 50]}
            onPage={(page) => onView({ page })}
            onLimit={(limit) => filter({ limit })}
            label="Pages of the order book"
          />
        )}
      </Card>
    </Screen>
  )
}
