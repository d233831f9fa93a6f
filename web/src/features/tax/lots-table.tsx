import { useMemo } from "react"
import { date } from "@/lib/dates"
import { count, quantity, rupees } from "@/lib/format"
import { Card } from "@/ui/card"
import { Change, useAmountsHidden } from "@/ui/money"
import { Pagination } from "@/ui/table/pagination"
import { type Column, type Download, type Fetching, Table } from "@/ui/table/table"
import { usePages } from "@/ui/table/use-pages"
import type { LotRow, Lots } from "./queries"
import styles from "./tax.module.css"
import { sourceWords } from "./words"

interface LotOfStock extends LotRow {
  key: string
  tradingSymbol: string
}

const daysTo = ({ isLongTerm, daysToLongTerm: days }: LotRow) =>
  isLongTerm ? "Long-term" : days === 1 ? "1 day" : `${count(days)} days`

const columns: Column<LotOfStock>[] = [
  {
    title: "Stock",
    cell: (lot) => (
      <span className={styles.stock}>
        <strong>{lot.tradingSymbol}</strong>
        {lot.demat !== "" && <small>{lot.demat}</small>}
      </span>
    ),
    card: "title",
  },
  { title: "Bought", cell: (lot) => date(lot.boughtOn), card: "note" },
  { title: "Shares", cell: (lot) => quantity(lot.quantity), align: "right", card: "aside" },
  {
    title: "Cost",
    cell: (lot) => (lot.known ? rupees(lot.cost) : <span className="muted">-</span>),
    align: "right",
  },
  { title: "Source", cell: (lot) => sourceWords[lot.source] },
  {
    title: "Until long-term",
    cell: (lot) => <span title={`From ${date(lot.longTermOn)}`}>{daysTo(lot)}</span>,
    align: "right",
  },
  {
    title: "Gain now",
    cell: (lot) => <Change value={lot.gain} />,
    align: "right",
    card: "main",
  },
  { title: "Tax if sold", cell: (lot) => rupees(lot.tax), align: "right" },
]

interface LotsTableProps {
  lots: Lots | undefined
  state: Fetching
  download: Download
}

/** The open lots of every stock, in the order in which they are sold. */
export function LotsTable({ lots, state, download }: LotsTableProps) {
  useAmountsHidden()
  const flat = useMemo(
    () =>
      lots?.stocks.flatMap((stock) =>
        stock.lots.map((lot, place) => ({
          ...lot,
          tradingSymbol: stock.tradingSymbol,
          key: `${stock.isin} ${String(place)}`,
        })),
      ),
    [lots],
  )
  const { rows, pagination } = usePages(flat, 20)
  return (
    <Card
      flush
      title="Open lots"
      note="First in, first out. Tax at full rates, before set-off and exemption."
    >
      <Table
        label="Open lots"
        name="open-lots"
        columns={columns}
        download={download}
        rows={rows}
        rowKey={(lot) => lot.key}
        rowName={(lot) => `${lot.tradingSymbol}, bought ${date(lot.boughtOn)}`}
        state={state}
        skeletonRows={4}
        empty={{
          title: "No Data Available",
          hint: "Lots come from trades that were read or imported, and from entries by hand.",
        }}
      />
      {pagination.total > 20 && (
        <Pagination {...pagination} sizes={[20, 50, 100]} label="Pages of open lots" />
      )}
    </Card>
  )
}
