import { Drawer } from "@mantine/core"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { ChevronLeft, ChevronRight, X } from "lucide-react"
import { dateTime } from "@/lib/dates"
import { missing, percent, quantity, rupees } from "@/lib/format"
import { BeforeAfter } from "@/ui/chart/before-after"
import { Button, IconButton } from "@/ui/button"
import { Facts } from "@/ui/facts"
import { Money } from "@/ui/money"
import { NoticeList } from "@/ui/notice"
import { PriceCell } from "@/parts/price-cell"
import { ErrorNote, Loading } from "@/ui/states"
import { StatusPill } from "@/ui/status-pill"
import { type Column, Table } from "@/ui/table/table"
import { useFocusReturn } from "@/ui/overlay/use-focus-return"
import { useIsPhone } from "@/ui/use-media"
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
  useFocusReturn()
  const isPhone = useIsPhone()
  const query = useQuery(clientInRunQuery(run._id, view.client))
  const details = query.data
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      size={isPhone ? "100%" : 880}
      transitionProps={{ duration: 120 }}
    >
      <Drawer.Overlay backgroundOpacity={1} color="var(--veil)" />
      <Drawer.Content aria-label={details ? `Rebalance of ${details.client.name}` : "Rebalance"}>
        <div className={styles.drawer}>
          <div className={styles.drawerHead}>
            <h2 tabIndex={-1} data-autofocus>
              {details?.client.name ?? "Client"}{" "}
              <span className="quiet">{details?.client.clientId}</span>
            </h2>
            <span className={styles.drawerButtons}>
              <StepButtons run={run} view={view} onView={onView} />
              <IconButton label="Close" icon={<X size={18} />} onClick={onClose} />
            </span>
          </div>
          {query.isPending && <Loading />}
          {query.isError && <ErrorNote message="Failed to fetch data" onRetry={query.refetch} />}
          {details && <Details run={run} details={details} />}
        </div>
      </Drawer.Content>
    </Drawer.Root>
  )
}

/** Goes to the previous and the next client of the table. */
function StepButtons({ run, view, onView }: Omit<RunClientDrawerProps, "onClose">) {
  const page = useQuery({ ...runClientsQuery(run._id, view), placeholderData: keepPreviousData })
  const rows = page.data?.data ?? []
  const place = rows.findIndex((row) => row._id === view.client)
  const goTo = (row: RunClient | undefined) => row && onView({ client: row._id })
  return (
    <>
      <IconButton
        label="Previous client"
        icon={<ChevronLeft size={16} />}
        disabled={place <= 0}
        onClick={() => goTo(rows[place - 1])}
      />
      <IconButton
        label="Next client"
        icon={<ChevronRight size={16} />}
        disabled={place === -1 || place >= rows.length - 1}
        onClick={() => goTo(rows[place + 1])}
      />
    </>
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
      <h3>Orders</h3>
      <Table
        label="Orders"
        name="run-client"
        columns={legColumns}
        rows={legs.filter(isTraded)}
        rowKey={(row) => `${row.exchange}:${row.symbol}`}
        rowName={(row) => row.symbol}
        empty={{ title: "No Data Available", hint: "Nothing is traded." }}
      />
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
