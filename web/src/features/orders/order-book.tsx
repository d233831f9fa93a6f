import { useSession } from "@/api/use-session"
import { today } from "@/lib/dates"
import { Card, Screen, Toolbar } from "@/ui/card"
import { GoTo } from "@/ui/go-to"
import { FilterMenu } from "@/ui/table/filter-menu"
import { Pagination } from "@/ui/table/pagination"
import { Table } from "@/ui/table/table"
import { type ListProps, useListScreen } from "@/ui/table/use-list-screen"
import { orderColumns } from "./order-columns"
import {
  ORDER_STATUSES,
  type OrderBookView,
  orderBookFile,
  orderBookQuery,
  ORDERS_PAGE,
} from "./queries"

const noFilter = { from: "", to: "", status: "" } as const

/** The client's orders as the broker reports them, newest first. */
export function OrderBook({ view, onView }: ListProps<OrderBookView>) {
  const clientId = useSession("clientId") ?? ""
  const list = useListScreen({ view, onView, query: orderBookQuery(clientId, view), noFilter })
  return (
    <Screen>
      <Card flush>
        <Toolbar>
          <FilterMenu
            {...list.dates}
            today={today()}
            statuses={ORDER_STATUSES}
            status={view.status}
            onStatus={(word) =>
              list.filter({ status: ORDER_STATUSES.find((each) => each === word) ?? "" })
            }
          />
        </Toolbar>
        <Table
          {...list.table}
          label="Order Book"
          name="order-book"
          columns={orderColumns}
          download={(format) => orderBookFile(clientId, view, format)}
          rowKey={(order) => order._id}
          rowName={(order) => order.tradingSymbol}
          empty={list.empty({
            hint: "Orders reported by the broker appear here.",
            action: <GoTo to="/home/client/profile">Connect the broker</GoTo>,
            noMatch: "No order fits these filters.",
          })}
        />
        {list.pages.total > 0 && (
          <Pagination
            {...list.pages}
            sizes={[10, ORDERS_PAGE, 50]}
            label="Pages of the order book"
          />
        )}
      </Card>
    </Screen>
  )
}
