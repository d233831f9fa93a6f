import { FileUp, Plus } from "lucide-react"
import { useRef } from "react"
import { signedRupees } from "@/lib/format"
import { Button } from "@/ui/button"
import { Card } from "@/ui/card"
import { useAmountsHidden } from "@/ui/money"
import { Pagination } from "@/ui/table/pagination"
import { type Column, steadyState, Table } from "@/ui/table/table"
import { usePages } from "@/ui/table/use-pages"
import { ActionCell, Acts, AmountCell, DateCell, TypeCell } from "./accounting-cells"
import { flowNames, netOf } from "./accounting-drafts"
import styles from "./accounting.module.css"
import { accountingFile } from "./queries"
import { type AccountingRow, useAccounting } from "./use-accounting"

const columns: Column<AccountingRow>[] = [
  { title: "Date", cell: (row) => <DateCell row={row} /> },
  { title: "Amount", cell: (row) => <AmountCell row={row} />, align: "right" },
  { title: "Cashflow Type", cell: (row) => <TypeCell row={row} /> },
  { title: "Action", cell: (row) => <ActionCell row={row} />, align: "right", width: 120 },
]

const PAGE = 20

interface AccountingProps {
  clientId: string
  startedFrom: string | null
  /** Opens the import of funds. */
  onImport: () => void
}

/** Funds added and withdrawn; rows are edited in place. */
export function AccountingTable({ clientId, startedFrom, onImport }: AccountingProps) {
  const { query, fresh, rows, add, edit, change, drop, save, remove } = useAccounting(clientId)
  const { rows: page, pagination } = usePages(rows, PAGE)
  useAmountsHidden()
  const frame = useRef<HTMLDivElement>(null)

  /** After the row has rendered again. */
  const focusOn = (selector: string) =>
    requestAnimationFrame(() => frame.current?.querySelector<HTMLElement>(selector)?.focus())
  const backTo = ({ key, transaction }: AccountingRow) =>
    focusOn(transaction ? `[data-edits="${key}"]` : "[data-add]")
  const acts = {
    change,
    edit,
    remove: (transaction: Parameters<typeof remove>[0]) => void remove(transaction),
    startedFrom,
    save: (row: AccountingRow) => {
      const wrong = save(row.key, (place) => {
        pagination.onPage(Math.floor(Math.max(0, place) / pagination.limit) + 1)
        backTo(row)
      })
      if (wrong) focusOn(`[data-row="${row.key}"] [name="${wrong}"]`)
    },
    undo: (row: AccountingRow) => {
      drop(row.key)
      backTo(row)
    },
  }
  const addButton = (
    <Button data-add icon={<Plus size={15} />} disabled={!rows} onClick={add}>
      Add Row
    </Button>
  )
  return (
    <div ref={frame} className={styles.frame}>
      <Card
        flush
        title="Accounting"
        actions={
          <>
            <Button icon={<FileUp size={15} />} onClick={onImport}>
              Import funds
            </Button>
            {addButton}
          </>
        }
      >
        <Acts value={acts}>
          <Table
            label="Accounting"
            name="accounting"
            download={(format) => accountingFile(clientId, format)}
            columns={columns}
            // A new row is on top of any page.
            rows={page && [...fresh, ...page]}
            rowKey={(row) => row.key}
            state={steadyState(query)}
            errorMessage="Failed to fetch client data"
            totals={
              query.data && query.data.length > 0
                ? { Amount: signedRupees(netOf(query.data)), "Cashflow Type": "Net added" }
                : undefined
            }
            empty={{
              title: "No Data Available",
              hint: `Each “${flowNames.FUNDS_ADDED}” and “${flowNames.FUNDS_WITHDRAWN}” since the start is listed here.`,
              action: addButton,
            }}
            renderCard={(row) => <PhoneRow row={row} />}
          />
        </Acts>
        {pagination.total > PAGE && (
          <Pagination {...pagination} sizes={[PAGE, 50, 100]} label="Pages of Accounting" />
        )}
      </Card>
    </div>
  )
}

/** On a phone a row is a card; while it is edited, its fields are stacked. */
function PhoneRow({ row }: { row: AccountingRow }) {
  if (row.edited) {
    return (
      <div className={styles.form}>
        <DateCell row={row} label="Date" />
        <AmountCell row={row} label="Amount" />
        <TypeCell row={row} label="Cashflow Type" />
        <ActionCell row={row} />
      </div>
    )
  }
  return (
    <div className={styles.card}>
      <div>
        <strong>
          <TypeCell row={row} />
        </strong>
        <span className={styles.note}>
          <DateCell row={row} />
        </span>
      </div>
      <span className={styles.sum}>
        <AmountCell row={row} />
      </span>
      <ActionCell row={row} />
    </div>
  )
}
