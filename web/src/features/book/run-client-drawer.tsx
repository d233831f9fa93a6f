import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { dateTime } from "@/lib/dates"
import { missing, percent, quantity, rupees } from "@/lib/format"
import { BeforeAfter } from "@/ui/chart/before-after"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { Facts } from "@/ui/facts"
import { Money } from "@/ui/money"
import { NoticeList } from "@/ui/notice"
import { PriceCell } from "@/parts/price-cell"
import { ErrorNote, Loading } from "@/ui/states"
import { StatusPill } from "@/ui/status-pill"
import { type Column, Table } from "@/ui/table/table"
import { DetailsDrawer } from "@/ui/overlay/details-drawer"
import { clientInRunQuery, runClientsQuery, type RunView } from "./queries"
import styles from "./book.module.css"

import { outcomeOf, TilePill } from "./run-client-columns"
import type { ClientInRun, Leg, Run, RunClient } from "./types"
import { useChoose } from "./use-choose"

interface RunClientDrawerProps {
  run: Run
  view: RunView
  onView: (change: Partial<RunView>) => void
  onClose: () => void
}

/** One client of the run: the reasons, before and after, and every order. */
export function RunClientDrawer({ run, view, onView, onClose }: RunClientDrawerProps) {
  const query = useQuery(clientInRunQuery(run._id, view.client))
  const page = useQuery({ ...runClientsQuery(run._id, view), placeholderData: keepPreviousData })
  const details = query.data
  const title = (
    <>
      {details?.client.name ?? "Client"} <span className="quiet">{details?.client.clientId}</span>
    </>
  )
  return (
    <DetailsDrawer
      label={details ? `Rebalance of ${details.client.name}` : "Rebalance"}
      title={title}
      width={880}
      noun="client"
      rows={page.data?.data ?? []}
      isShown={({ _id }) => _id === view.client}
      onStep={({ _id }) => onView({ client: _id })}
      onClose={onClose}
    >
      {query.isPending && <Loading />}
      {query.isError && <ErrorNote message="Failed to fetch data" onRetry={query.refetch} />}
      {details && <Details run={run} details={details} />}
    </DetailsDrawer>
  )
}

interface DetailsProps {
  run: Run
  details: ClientInRun
}

function Details({ run, details }: DetailsProps) {
  const { client, notices, restrictions } = details
  return (
    <>
      <Verdict run={run} client={client} />
      <div className={styles.facts}>
        <Facts
          facts={[
            ["Investment Value", <Money key="value" value={client.investmentValue} />],
            ["To buy", <Money key="buy" value={client.buyValue} />],
            ["To sell", <Money key="sell" value={client.sellValue} />],
            ["Cash now", <Money key="cash" value={client.cash} />],
            ["Cash after", <Money key="after" value={client.cashAfter} />],
            ["Funds to add", <Money key="funds" value={client.fundsToAdd} />],
            ["Charges", <Money key="charges" value={client.estimatedCharges} />],
            ["Tax of the sales", <Money key="tax" value={client.estimatedTax} />],
            ["Turnover", percent(client.turnoverPercentage)],
            ["Holdings as of", client.syncedAt ? dateTime(client.syncedAt) : ""],
          ]}
        />
      </div>
      <NoticeList notices={notices} />
      {restrictions.length > 0 && (
        <p className="quiet">
          Restrictions:{" "}
          {restrictions.map(({ tradingSymbol, words }) => `${tradingSymbol}: ${words}`).join(" · ")}
        </p>
      )}
      <Plan details={details} />
    </>
  )
}

/** The tile, its reasons, the outcome, and the choice to include the client or leave it out. */
function Verdict({ run, client }: { run: Run; client: RunClient }) {
  const outcome = outcomeOf(client)
  const hasOutcome = run.sending.total > 0 && outcome !== missing && outcome !== client.note
  return (
    <div className={styles.verdict}>
      <TilePill row={client} />
      <ul>
        {client.reasons.map(({ tile, message }) => (
          <li key={`${tile} ${message}`}>{message}</li>
        ))}
        {client.note !== "" && <li>{client.note}</li>}
        {hasOutcome && <li>{outcome}</li>}
      </ul>
      {run.state === "REVIEW" && <Choice run={run} client={client} />}
    </div>
  )
}

const isTraded = (row: Leg) => row.type !== "HOLD"

function Plan({ details: { legs, summary } }: Pick<DetailsProps, "details">) {
  if (summary === null) return <p className="quiet">No plan was computed for this client.</p>
  return (
    <>
      <h3>
        Before and after <small>Grey: now · Blue: after · Tick: target</small>
      </h3>
      <BeforeAfter rows={legs} isMuted={(row) => !isTraded(row)} />
      <Card flush title="Orders">
        <Table
          label="Orders"
          name="run-client"
          columns={legColumns}
          rows={legs.filter(isTraded)}
          rowKey={(row) => `${row.exchange}:${row.symbol}`}
          rowName={(row) => row.symbol}
          empty={{ title: "No Data Available", hint: "Nothing is traded." }}
        />
      </Card>
    </>
  )
}

function Choice({ run, client }: { run: Run; client: RunClient }) {
  const { choose, dialog, isBusy } = useChoose(run)
  if (!client.canBeIncluded) return <StatusPill word="Cannot be sent" tone="neutral" />
  return (
    <>
      <Button isBusy={isBusy} onClick={() => choose(client, !client.isIncluded)}>
        {client.isIncluded ? "Leave out" : "Include"}
      </Button>
      {dialog}
    </>
  )
}

const legColumns: Column<Leg>[] = [
  { title: "Transaction Type", cell: (row) => <StatusPill word={row.type} />, card: "note" },
  { title: "Stock", cell: (row) => <strong>{row.symbol}</strong>, card: "title" },
  { title: "Quantity", cell: (row) => quantity(row.quantity), align: "right", card: "main" },
  { title: "New Quantity", cell: (row) => quantity(row.newQuantity), align: "right" },
  { title: "LTP", cell: (row) => <PriceCell row={row} />, align: "right" },
  {
    title: "Order Value",
    cell: (row) => rupees(row.type === "SELL" ? row.valueToBeFreed : row.additionalInvestmentValue),
    align: "right",
    card: "aside",
  },
  {
    title: "% Allocation",
    cell: (row) => percent(row.possibleAllocationPercentage),
    align: "right",
  },
]
