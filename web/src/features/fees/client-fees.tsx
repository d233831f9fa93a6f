import { Plus } from "lucide-react"
import { useEffect, useRef } from "react"
import { useSession } from "@/api/use-session"
import { date, today } from "@/lib/dates"
import { rupees, signedRupees } from "@/lib/format"
import { Button } from "@/ui/button"
import { Card, Screen, Toolbar } from "@/ui/card"
import { FilterMenu } from "@/ui/table/filter-menu"
import { useAmountsHidden } from "@/ui/money"
import { Pagination } from "@/ui/table/pagination"
import { Table } from "@/ui/table/table"
import { type ListProps, pageOf, useListScreen } from "@/ui/table/use-list-screen"
import { useIsPhone } from "@/ui/use-media"
import { Billing } from "./billing"
import { FeeCard } from "./fee-card"
import { feeColumns } from "./fee-columns"
import { rowsOf, type ShownFee } from "./fee-drafts"
import styles from "./fees.module.css"
import { FLOWS_CHANGED, feeNowOf } from "./flows-changed"
import { useInvoiceCell } from "./invoice-cell"
import { wordsOf } from "./over-limit"
import {
  clientFeesFile,
  clientFeesQuery,
  type ClientFeesView,
  FEE_STATUSES,
  type FeeRow,
} from "./queries"
import { useFeeActs } from "./use-fee-acts"

const noFilter = { from: "", to: "", status: "" } as const

/** What the client is charged for each period, newest first, and what of it is paid. */
export function ClientFees({ view, onView }: ListProps<ClientFeesView>) {
  const clientId = useSession("clientId") ?? ""
  useAmountsHidden()
  const isPhone = useIsPhone()
  const list = useListScreen({
    view,
    onView,
    query: {
      ...clientFeesQuery(clientId, view),
      select: (fees: FeeRow[]) => pageOf(fees, view),
    },
    noFilter,
  })
  const { drafts, acts: edits, addRow } = useFeeActs(clientId)
  const all = list.result.data?.all ?? []
  const shown = list.table.rows
  const { cell: invoices, onRefund, dialogs } = useInvoiceCell(clientId, edits, all)
  const acts = { ...edits, onRefund }
  const section = useFocusOnNew(drafts[0]?.fee === null ? drafts[0].key : null)
  return (
    <Screen>
      <div ref={section} className={styles.tab}>
        <Card flush title="Fee Details">
          <Toolbar
            action={
              <Button
                kind="primary"
                icon={<Plus size={15} aria-hidden="true" />}
                data-add
                onClick={() => void addRow()}
              >
                Add Row
              </Button>
            }
          >
            <FilterMenu
              {...list.dates}
              today={today()}
              statuses={FEE_STATUSES}
              status={view.status}
              onStatus={(word) =>
                list.filter({ status: FEE_STATUSES.find((each) => each === word) ?? "" })
              }
            />
          </Toolbar>
          {!isPhone && <PassedLimits fees={shown ?? []} />}
          {!isPhone && <ChangedFlows fees={shown ?? []} />}
          <Table
            {...list.table}
            label="Fees"
            name="client-fees"
            download={(format) => clientFeesFile(clientId, view, format)}
            columns={feeColumns(acts, invoices)}
            rows={shown && rowsOf(shown, drafts)}
            rowKey={(row) => row.key}
            rowName={nameOf}
            renderCard={(row) => <FeeCard row={row} acts={acts} invoices={invoices} />}
            totals={all.length > 1 ? totalsOf(all) : undefined}
            isDense
            empty={list.empty({
              hint: "This client's fees appear here.",
              noMatch: "No fee matches the filter.",
              clearLabel: "Clear filter",
            })}
          />
          {list.pages.total > 0 && <Pagination {...list.pages} label="Pages of the fees" />}
        </Card>
        {invoices && <Billing clientId={clientId} />}
        {dialogs}
      </div>
    </Screen>
  )
}

const nameOf = ({ fee }: ShownFee) =>
  fee === null ? "new row" : `fee of ${date(fee.startingDate)}`

const sumOf = (fees: FeeRow[], figure: (fee: FeeRow) => number | null) =>
  fees.reduce((sum, fee) => sum + (figure(fee) ?? 0), 0)

/** Sums of all rows that match, not of the page alone. */
const totalsOf = (fees: FeeRow[]) => ({
  "Net Gain": signedRupees(sumOf(fees, (fee) => fee.netGain)),
  Fees: rupees(sumOf(fees, (fee) => fee.fees)),
  "Net Gain After Fees": signedRupees(sumOf(fees, (fee) => fee.netGainAfterFees)),
})

/** The arithmetic of every fee on the page with which the family passed the yearly limit. */
function PassedLimits({ fees }: { fees: FeeRow[] }) {
  const passed = fees.flatMap(({ _id, startingDate, limit }) =>
    limit === null ? [] : [{ _id, startingDate, limit }],
  )
  if (passed.length === 0) return null
  return (
    <ul className={styles.limits} aria-label="Over the yearly limit">
      {passed.map(({ _id, startingDate, limit }) => (
        <li key={_id} className={styles.limit}>
          Period from {date(startingDate)}: {wordsOf(limit)}
        </li>
      ))}
    </ul>
  )
}

/** Every fee on the page whose cash flows changed after it, with the fee that would now result. */
function ChangedFlows({ fees }: { fees: FeeRow[] }) {
  const changed = fees.flatMap(({ _id, flowsChanged }) =>
    flowsChanged === null ? [] : [{ _id, flowsChanged }],
  )
  if (changed.length === 0) return null
  return (
    <ul className={styles.limits} aria-label={FLOWS_CHANGED}>
      {changed.map(({ _id, flowsChanged }) => (
        <li key={_id} className={styles.limit}>
          {feeNowOf(flowsChanged)}
        </li>
      ))}
    </ul>
  )
}

/** Puts the focus on the first field of a row that was just added. */
function useFocusOnNew(key: string | null) {
  const section = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (key === null) return
    section.current?.querySelector<HTMLElement>("[data-field='startingDate'] input")?.focus()
  }, [key])
  return section
}
