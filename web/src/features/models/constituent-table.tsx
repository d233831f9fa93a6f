import { Trash2 } from "lucide-react"
import type { KeyboardEvent } from "react"
import { basisPointsOf, percentOf } from "@/lib/shares"
import { IconButton } from "@/ui/button"
import { PercentCell } from "@/ui/table/percent-cell"
import { type Column, Table } from "@/ui/table/table"
import { StockName } from "@/parts/stock-name"
import { stepTarget, TargetRows } from "@/parts/target-rows"
import { LongText } from "@/ui/long-text"
import { type Constituent, keyOf } from "./constituents"
import styles from "./models.module.css"

interface ConstituentTableProps {
  rows: Constituent[]
  /** False when the target is refused. */
  onTarget: (key: string, target: number | null) => boolean
  onRemove: (key: string) => void
}

const steps: Partial<Record<string, 1 | -1>> = { ArrowUp: -1, ArrowDown: 1 }

/** Up and Down go to the target of another row. */
function step(event: KeyboardEvent<HTMLInputElement>) {
  const by = steps[event.key]
  if (by === undefined) return
  event.preventDefault()
  stepTarget(event.currentTarget, by)
}

type CellProps = Omit<ConstituentTableProps, "rows"> & { row: Constituent }

function Target({ row, onTarget }: CellProps) {
  const key = keyOf(row)
  return (
    <span data-target={key}>
      <PercentCell
        label={`Target of ${row.symbol}`}
        value={row.target === null ? null : percentOf(row.target)}
        onCommit={(target) => onTarget(key, basisPointsOf(target))}
        onClear={() => onTarget(key, null)}
        onKeyDown={step}
      />
    </span>
  )
}

const Remove = ({ row, onRemove }: CellProps) => (
  <IconButton
    label={`Remove ${row.symbol}`}
    icon={<Trash2 size={15} />}
    onClick={() => onRemove(keyOf(row))}
  />
)

const columnsFor = (acts: Omit<ConstituentTableProps, "rows">): Column<Constituent>[] => [
  { title: "Stock", cell: (row) => <StockName {...row} /> },
  { title: "Name", cell: (row) => <LongText>{row.name}</LongText> },
  { title: "Target", cell: (row) => <Target row={row} {...acts} />, align: "right" },
  { title: "Remove", hideTitle: true, cell: (row) => <Remove row={row} {...acts} />, width: 52 },
]

/** The stocks of a version in the editor. */
export function ConstituentTable({ rows, ...acts }: ConstituentTableProps) {
  return (
    <TargetRows>
      <Table
        label="Constituents"
        name="constituents"
        isForm
        columns={columnsFor(acts)}
        rows={rows}
        rowKey={keyOf}
        around={310}
        empty={{
          title: "No Data Available",
          hint: "Search a stock above, or paste symbols and percents from a spreadsheet.",
        }}
        renderCard={(row) => (
          <div className={styles.phoneRow}>
            <span>
              <StockName {...row} />
              <span className={styles.phoneName}>{row.name}</span>
            </span>
            <Target row={row} {...acts} />
            <Remove row={row} {...acts} />
          </div>
        )}
      />
    </TargetRows>
  )
}
