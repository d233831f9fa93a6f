import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { messageOf } from "@/api/client"
import { useSession } from "@/api/use-session"
import { lastPrice, usePriceBeat } from "@/live/use-last-price"
import { Card, Screen } from "@/ui/card"
import { Facts } from "@/ui/facts"
import { Money } from "@/ui/money"
import { steadyState } from "@/ui/table"
import { ErrorNote } from "@/ui/states"
import { EditStartingCapital, EditStartingDate } from "./edit-start"
import { HoldingsTable } from "./holdings-table"
import { ImportHoldings } from "./import-holdings"
import { atLastPrices, withHoldingsWorth } from "./live-figures"
import { PortfolioCards } from "./portfolio-cards"
import { holdingsQuery, portfolioQuery } from "./queries"

export function PortfolioTab() {
  const clientId = useSession("clientId") ?? ""
  const [dialog, setDialog] = useState<"date" | "capital" | "import" | null>(null)
  usePriceBeat()
  const portfolio = useQuery(portfolioQuery(clientId))
  const holdings = useQuery(holdingsQuery(clientId))

  const live = holdings.data && atLastPrices(holdings.data.data, lastPrice)
  const shown =
    portfolio.data && live
      ? withHoldingsWorth(portfolio.data, live.totals.currentValue)
      : portfolio.data
  const close = () => setDialog(null)
  return (
    <Screen>
      {portfolio.isError && (
        <ErrorNote
          message={messageOf(portfolio.error, "Failed to fetch client data")}
          onRetry={portfolio.refetch}
        />
      )}
      <PortfolioCards
        portfolio={shown}
        onEditDate={() => setDialog("date")}
        onEditCapital={() => setDialog("capital")}
      />
      <Card title="Available Funds">
        <Facts
          isLoading={shown === undefined && !portfolio.isError}
          facts={[
            ["Net", <Money key="net" value={shown?.net} />],
            ["Available Cash", <Money key="cash" value={shown?.cash} />],
            ["Intraday Payin", <Money key="payin" value={shown?.intradayPayin} />],
          ]}
        />
      </Card>
      <HoldingsTable
        rows={live?.rows}
        totals={live?.totals}
        pricedAt={holdings.data?.pricedAt}
        state={steadyState(holdings)}
        onImport={() => setDialog("import")}
      />
      {dialog === "date" && (
        <EditStartingDate
          clientId={clientId}
          startedFrom={portfolio.data?.startedFrom ?? null}
          onClose={close}
        />
      )}
      {dialog === "capital" && (
        <EditStartingCapital
          clientId={clientId}
          startingCapital={portfolio.data?.startingCapital ?? 0}
          onClose={close}
        />
      )}
      {dialog === "import" && <ImportHoldings clientId={clientId} onClose={close} />}
    </Screen>
  )
}
