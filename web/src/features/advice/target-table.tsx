import { Switch } from "@mantine/core"
import { Trash2 } from "lucide-react"
import { memo, type ReactNode, useMemo } from "react"
import { missing, percent, quantity, rupees } from "@/lib/format"
import { basisPointsOf, percentOf } from "@/lib/shares"
import { LivePrice } from "@/live/live-price"
import { useLastPrice, usePriceBeat } from "@/live/use-last-price"
import { IconButton } from "@/ui/button"
import { useAmountsHidden } from "@/ui/money"
import { PercentCell } from "@/ui/table/percent-cell"
import { DriftCell } from "@/parts/drift-cell"
import { StaleNote } from "@/parts/stale-note"
import { StockName } from "@/parts/stock-name"
import { type Column, Table } from "@/ui/table/table"
import { TermMark } from "@/ui/term-mark"
import { TargetRows } from "@/parts/target-rows"
import styles from "./advice.module.css"
import { useDraft } from "./draft"
import { type Restrictions, RowMarks, useRestrictions } from "./restricted"
import { type AdviceRow, amountOf, isCash, keyOf, rupeesOf, shareOf } from "./targets"
import {
  isAutoForAll,
  priceOf,
  removeStock,
  setTarget,
  toggleAuto,
  toggleAutoForAll,
} from "./row-changes"

interface TargetTableProps {
  /** Undefined while they load. */
  rows: AdviceRow[] | undefined
  investment: number | ""
  empty: { title: string; hint?: ReactNode; action?: ReactNode }
}

// Cells render again only for a row that changed: a row keeps its identity until then.
interface RowProps {
  row: AdviceRow
  investment: number | ""
}

const useAmount = (row: AdviceRow) => amountOf(row, useLastPrice(row.instrumentToken, row.ltp))

const Price = ({ row }: { row: AdviceRow }) => (
  <LivePrice
    token={row.instrumentToken}
    otherwise={row.ltp}
    stale={row.staleAt && <StaleNote at={row.staleAt} source={row.priceSource} />}
  />
)

const Amount = memo(function Amount({ row }: { row: AdviceRow }) {
  useAmountsHidden()
  const amount = useAmount(row)
  return rupees(amount === null ? null : rupeesOf(amount))
})

function useShare({ row, investment }: RowProps) {
  return shareOf(useAmount(row), investment)
}

const Share = memo(function Share(props: RowProps) {
  const share = useShare(props)
  return percent(share === null ? null : percentOf(share))
})

const Drift = memo(function Drift(props: RowProps) {
  const share = useShare(props)
  const { target } = props.row
  return <DriftCell drift={share === null || target === null ? null : percentOf(share - target)} />
})

const noTargetHint = "No target: not traded. 0 sells all of it."

const Target = memo(function Target({ row }: { row: AdviceRow }) {
  const key = keyOf(row)
  return (
    <span data-target={key} title={row.target === null ? noTargetHint : undefined}>
      <PercentCell
        label={`Target Allocation of ${row.tradingSymbol}`}
        value={row.target === null ? null : percentOf(row.target)}
        onCommit={(target) => setTarget(key, basisPointsOf(target))}
        onClear={() => setTarget(key, null)}
      />
    </span>
  )
})

const Auto = memo(({ row }: { row: AdviceRow }) => (
  <Switch
    aria-label={`Auto for ${row.tradingSymbol}`}
    checked={row.copied}
    onChange={() => toggleAuto(keyOf(row))}
  />
))

const Remove = memo(({ row }: { row: AdviceRow }) =>
  isCash(row) ? null : (
    <IconButton
      label={`Remove ${row.tradingSymbol}`}
      icon={<Trash2 size={15} />}
      onClick={() => removeStock(keyOf(row))}
    />
  ),
)

/** Auto for every row at once, in the head of its column. */
function AutoForAll() {
  const { rows } = useDraft()
  return (
    <span className={styles.autoForAll}>
      Auto
      <Switch
        aria-label="Auto for all"
        title="Auto for all"
        checked={isAutoForAll(rows)}
        disabled={rows.length === 0}
        onChange={toggleAutoForAll}
      />
    </span>
  )
}

const columnsFor = (investment: number | "", restrictions: Restrictions): Column<AdviceRow>[] => [
  {
    title: "Stock",
    cell: (row) => (
      <>
        <StockName symbol={row.tradingSymbol} exchange={row.exchange} />
        <RowMarks row={row} restrictions={restrictions} />
      </>
    ),
    pin: "left",
  },
  {
    title: "Quantity",
    cell: (row) => (isCash(row) ? missing : quantity(row.quantity)),
    align: "right",
  },
  { title: "LTP", cell: (row) => (isCash(row) ? missing : <Price row={row} />), align: "right" },
  { title: "Current Investment Amount", cell: (row) => <Amount row={row} />, align: "right" },
  {
    title: "% Allocation",
    cell: (row) => <Share row={row} investment={investment} />,
    align: "right",
  },
  {
    title: "Drift",
    head: (
      <>
        Drift
        <TermMark label="Drift" /> <span className={styles.base}>of Investment Value</span>
      </>
    ),
    cell: (row) => <Drift row={row} investment={investment} />,
    align: "center",
  },
  {
    title: "Target Allocation",
    cell: (row) => <Target row={row} />,
    align: "right",
    pin: "right",
  },
  { title: "Auto", head: <AutoForAll />, cell: (row) => <Auto row={row} /> },
  { title: "Product", cell: (row) => <span className="quiet">{row.product}</span> },
  { title: "Remove", hideTitle: true, cell: (row) => <Remove row={row} />, width: 52 },
]

/** The advice table: one row per holding or added stock, CASH last; prices and shares follow the feed. */
export function TargetTable(props: TargetTableProps) {
  const { rows, investment, empty } = props
  const restrictions = useRestrictions()
  const columns = useMemo(() => columnsFor(investment, restrictions), [investment, restrictions])
  return (
    <TargetRows>
      <Table
        label="Advice"
        name="advice"
        isForm
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        around={262}
        empty={empty}
        skeletonRows={10}
        loadingText="Fetching data..."
        renderCard={(row) => (
          <PhoneRow row={row} investment={investment} restrictions={restrictions} />
        )}
      />
    </TargetRows>
  )
}

function PhoneRow({ row, investment, restrictions }: RowProps & { restrictions: Restrictions }) {
  return (
    <div className={styles.phoneRow}>
      <span>
        <strong>{row.tradingSymbol}</strong>
        <RowMarks row={row} restrictions={restrictions} />
      </span>
      <span className={styles.phonePrice}>
        {isCash(row) ? (
          <Amount row={row} />
        ) : (
          <>
            <Price row={row} /> <span className="quiet">× {quantity(row.quantity)}</span>
          </>
        )}
      </span>
      <span className={styles.phoneShare}>
        <Share row={row} investment={investment} /> now
        <Remove row={row} />
      </span>
      <span className={styles.phoneTarget}>
        <Auto row={row} />
        <Target row={row} />
      </span>
    </div>
  )
}

/** How many stocks there are, their value with the cash, and how many will not be traded. */
export function TableFoot({ rows }: { rows: AdviceRow[] }) {
  usePriceBeat()
  useAmountsHidden()
  const stocks = rows.filter((row) => !isCash(row))
  const hasTargets = rows.some((row) => row.target !== null)
  const withoutTarget = stocks.filter((row) => row.target === null && row.quantity > 0).length
  const value = rows.reduce((sum, row) => sum + (amountOf(row, priceOf(row)) ?? 0n), 0n)
  return (
    <p className={styles.totals}>
      <span>
        Total stock <strong>{stocks.length}</strong>
      </span>
      <span className={styles.worth}>
        Portfolio value <strong>{rows.length > 0 ? rupees(rupeesOf(value)) : missing}</strong>
      </span>
      {hasTargets && withoutTarget > 0 && (
        <span className={styles.worth}>
          {withoutTarget} {withoutTarget === 1 ? "stock" : "stocks"} without a target will not be
          traded
        </span>
      )}
    </p>
  )
}
