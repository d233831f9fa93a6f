import { useQuery } from "@tanstack/react-query"
import { Pencil } from "lucide-react"
import { type ReactNode, useState } from "react"
import { useSession } from "@/api/use-session"
import { lastPrice, usePriceBeat } from "@/live/use-last-price"
import { Button } from "@/ui/button"
import { Card, Screen } from "@/ui/card"
import { Facts } from "@/ui/facts"
import { Money } from "@/ui/money"
import { steadyState } from "@/ui/table/table"
import { ErrorNote } from "@/ui/states"
import { AccountingTable } from "./accounting-table"
import { EditStartingCapital, EditStartingDate } from "./edit-start"
import { BenchmarkCard } from "./benchmark-card"
import { ExpectedDividends } from "./expected-dividends"
import { HoldingsTable } from "./holdings-table"
import { ImportFile } from "./import-file"
import { CashNote, EditCash } from "./edit-cash"
import { atLastPrices, withHoldingsAt } from "./live-figures"
import { PerformanceChart } from "./performance-chart"
import { PortfolioCards } from "./portfolio-cards"
import styles from "./portfolio.module.css"
import { holdingsFile, holdingsQuery, portfolioQuery } from "./queries"
import { ReturnsPanel } from "./returns-panel"
import { SyncButton, SyncNote } from "./sync-client"
import { XirrTable } from "./xirr-table"

type Dialog = "date" | "capital" | "cash" | "holdings" | "funds"

/** Lists the holdings with a suspected split or bonus: the figures may be wrong until shares and price are updated. */
function SuspectedAction({ symbols }: { symbols: string[] }) {
  if (symbols.length === 0) return null
  return (
    <p className="warn" role="status">
      Action suspected in {symbols.join(", ")}: shares or price changed as in a split or bonus. The
      figures below may be wrong until both are updated.
    </p>
  )
}

/** Lists the holdings whose shares after a split or bonus the broker does not show yet. */
function PendingAction({ symbols }: { symbols: string[] }) {
  if (symbols.length === 0) return null
  return (
    <p className="warn" role="status">
      Action pending in {symbols.join(", ")}: the broker has not credited the new shares yet. They
      are included in the figures below and cannot be sold.
    </p>
  )
}

interface PortfolioTabProps {
  /** Shown under the holdings. */
  restrictions?: ReactNode
}

export function PortfolioTab({ restrictions }: PortfolioTabProps) {
  const clientId = useSession("clientId") ?? ""
  const [dialog, setDialog] = useState<Dialog | null>(null)
  usePriceBeat()
  const portfolio = useQuery(portfolioQuery(clientId))
  const holdings = useQuery(holdingsQuery(clientId))

  const live = holdings.data && atLastPrices(holdings.data.data, lastPrice)
  const shown =
    portfolio.data && live ? withHoldingsAt(portfolio.data, live.totals) : portfolio.data
  const close = () => setDialog(null)
  return (
    <Screen>
      {portfolio.isError && (
        <ErrorNote message="Failed to fetch client data" onRetry={portfolio.refetch} />
      )}
      <SuspectedAction symbols={portfolio.data?.actionSuspected ?? []} />
      <PendingAction symbols={portfolio.data?.actionPending ?? []} />
      <PortfolioCards
        portfolio={shown}
        onEditDate={() => setDialog("date")}
        onEditCapital={() => setDialog("capital")}
      />
      <Card
        title="Available Funds"
        note={
          portfolio.data?.cashByHand ? (
            <CashNote cash={portfolio.data.cashByHand} />
          ) : (
            <SyncNote clientId={clientId} source={portfolio.data?.holdingsSource} />
          )
        }
        actions={
          <>
            {portfolio.data && !portfolio.data.isConnected && (
              <Button icon={<Pencil size={15} />} onClick={() => setDialog("cash")}>
                Enter cash
              </Button>
            )}
            <SyncButton clientId={clientId} />
          </>
        }
      >
        <Facts
          isLoading={shown === undefined && !portfolio.isError}
          facts={[
            ["Net", <Money key="net" value={shown?.net} />],
            ["Available Cash", <Money key="cash" value={shown?.cash} />],
            ["Intraday Payin", <Money key="payin" value={shown?.intradayPayin} />],
          ]}
        />
      </Card>
      <div className={styles.sections} data-wide="first">
        <PerformanceChart clientId={clientId} />
        <ReturnsPanel clientId={clientId} />
      </div>
      <HoldingsTable
        rows={live?.rows}
        totals={live?.totals}
        pricedAt={holdings.data?.pricedAt}
        state={steadyState(holdings)}
        onImport={() => setDialog("holdings")}
        download={(format) => holdingsFile(clientId, format)}
      />
      {restrictions}
      <div className={styles.sections}>
        <AccountingTable
          clientId={clientId}
          startedFrom={portfolio.data?.startedFrom ?? null}
          onImport={() => setDialog("funds")}
        />
        <XirrTable clientId={clientId} />
      </div>
      {/* Last, because not every client has them: nothing may move when they come. */}
      <BenchmarkCard clientId={clientId} />
      <ExpectedDividends clientId={clientId} />
      {dialog === "date" && (
        <EditStartingDate
          clientId={clientId}
          version={portfolio.data?.version ?? null}
          startedFrom={portfolio.data?.startedFrom ?? null}
          onClose={close}
        />
      )}
      {dialog === "capital" && (
        <EditStartingCapital
          clientId={clientId}
          version={portfolio.data?.version ?? null}
          startingCapital={portfolio.data?.startingCapital ?? 0}
          holdingsCost={live?.totals.invested ?? 0}
          onClose={close}
        />
      )}
      {dialog === "cash" && portfolio.data && (
        <EditCash clientId={clientId} portfolio={portfolio.data} onClose={close} />
      )}
      {(dialog === "holdings" || dialog === "funds") && (
        <ImportFile kind={dialog} clientId={clientId} onClose={close} />
      )}
    </Screen>
  )
}
