import { Drawer } from "@mantine/core"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { ChevronLeft, ChevronRight, X } from "lucide-react"
import { useSession } from "@/api/use-session"
import { dateTime } from "@/lib/dates"
import { missing, percent, quantity, rupees } from "@/lib/format"
import { BeforeAfter } from "@/ui/chart/before-after"
import { Button, IconButton } from "@/ui/button"
import { Facts } from "@/ui/facts"
import { Money } from "@/ui/money"
import { PriceCell } from "@/parts/price-cell"
import { ErrorNote, Loading } from "@/ui/states"
import { StatusPill } from "@/ui/status-pill"
import { type Column, Table } from "@/ui/table/table"
import { useFocusReturn } from "@/ui/overlay/use-focus-return"
import { useIsPhone } from "@/ui/use-media"
import { clientInRunQuery, runClientsQuery, type RunView } from "./book-queries"
import styles from "./models.module.css"

import { TileOf, wordsOf } from "./run-client-columns"
import type { ClientInRun, Leg, Run, RunClient } from "./types"
import { useChoose } from "./use-choose"

interface RunClientDrawerProps {
  run: Run
  view: RunView
  onView: (change: Partial<RunView>) => void
  onClose: () => void
}

/** One client of the run beside the table: why, before and after, every order. */
export function RunClientDrawer({ run, view, onView, onClose }: RunClientDrawerProps) {
  useFocusReturn()
  const isPhone = useIsPhone()
  const found = useQuery(clientInRunQuery(run._id, view.client))
  const page = useQuery({ ...runClientsQuery(run._id, view), placeholderData: keepPreviousData })
  const rows = page.data?.data ?? []
  const place = rows.findIndex((row) => row._id === view.client)
  const step = (by: 1 | -1) => {
    const next = rows[place + by]
    if (next) onView({ client: next._id })
  }
  const shown = found.data
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      position="right"
      size={isPhone ? "100%" : 880}
      transitionProps={{ duration: 120 }}
    >
      <Drawer.Overlay backgroundOpacity={1} color="var(--veil)" />
      <Drawer.Content aria-label={shown ? `Rebalance of ${shown.client.name}` : "Rebalance"}>
        <div className={styles.drawer}>
          <div className={styles.drawerHead}>
            <h2 tabIndex={-1} data-autofocus>
              {shown?.client.name ?? "Client"}{" "}
              <span className={styles.quiet}>{shown?.client.clientId}</span>
            </h2>
            <span className={styles.acts}>
              <IconButton
                label="Previous client"
                icon={<ChevronLeft size={16} aria-hidden="true" />}
                disabled={place <= 0}
                onClick={() => step(-1)}
              />
              <IconButton
                label="Next client"
                icon={<ChevronRight size={16} aria-hidden="true" />}
                disabled={place === -1 || place >= rows.length - 1}
                onClick={() => step(1)}
              />
              <IconButton
                label="Close"
                icon={<X size={18} aria-hidden="true" />}
                onClick={onClose}
              />
            </span>
          </div>
          {found.isPending && <Loading />}
          {found.isError && <ErrorNote message="Failed to fetch data" onRetry={found.refetch} />}
          {shown && <Shown run={run} shown={shown} />}
        </div>
      </Drawer.Content>
    </Drawer.Root>
  )
}

const isTraded = (row: Leg) => row.type !== "HOLD"

function Shown({ run, shown }: { run: Run; shown: ClientInRun }) {
  const { client, legs, summary, notices, restrictions } = shown
  const traded = legs.filter(isTraded)
  return (
    <>
      <div className={styles.verdict}>
        <TileOf row={client} />
        <ul>
          {client.reasons.map(({ tile, message }) => (
            <li key={`${tile} ${message}`}>{message}</li>
          ))}
          {client.note !== "" && <li>{client.note}</li>}
          {run.sending.total > 0 &&
            wordsOf(client) !== missing &&
            wordsOf(client) !== client.note && <li>{wordsOf(client)}</li>}
        </ul>
        {run.state === "REVIEW" && <Choice run={run} client={client} />}
      </div>
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
            ["Holdings of", client.syncedAt ? dateTime(client.syncedAt) : ""],
          ]}
        />
      </div>
      {notices.length > 0 && (
        <ul className={styles.notices} aria-label="Notices">
          {notices.map((notice) => (
            <li key={notice}>{notice}</li>
          ))}
        </ul>
      )}
      {restrictions.length > 0 && (
        <p className={styles.quiet}>
          Restrictions:{" "}
          {restrictions.map(({ tradingSymbol, words }) => `${tradingSymbol}: ${words}`).join(" · ")}
        </p>
      )}
      {summary === null ? (
        <p className={styles.quiet}>No plan was computed for this client.</p>
      ) : (
        <>
          <h3>
            Before and after <small>Grey now, blue after, tick target</small>
          </h3>
          <BeforeAfter rows={legs} isMuted={(row) => !isTraded(row)} />
          <h3>Orders</h3>
          <Table
            label="Orders"
            name="run-client"
            columns={legColumns}
            rows={traded}
            rowKey={(row) => `${row.exchange}:${row.symbol}`}
            rowName={(row) => row.symbol}
            empty={{ title: "No Data Available", hint: "Nothing is traded." }}
          />
        </>
      )}
    </>
  )
}

function Choice({ run, client }: { run: Run; client: RunClient }) {
  const isAdmin = useSession("role") === "ADMIN"
  const { choose, dialog, isBusy } = useChoose(run)
  if (!isAdmin) return null
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
  { title: "New Quantity", cell: (row) => quantity(row.newQuantity), align: "right", card: "rest" },
  { title: "LTP", cell: (row) => <PriceCell row={row} />, align: "right", card: "rest" },
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
    card: "rest",
  },
]
