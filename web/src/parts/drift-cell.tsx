import { missing, signedPercent } from "@/lib/format"
import { DriftBar } from "@/ui/chart/bars"
import styles from "./drift-cell.module.css"

interface DriftCellProps {
  /** Percentage points, positive where too much is held; null where a price is missing. */
  drift: number | null | undefined
  symbol?: string
  /** Marked on the bar: drift of as much or more is outside it. */
  tolerance?: number
}

/** A drift as a bar from a centre line, its figure, and the stock that drifted. */
export function DriftCell({ drift, symbol, tolerance }: DriftCellProps) {
  if (drift === null || drift === undefined) return <span className="muted">{missing}</span>
  return (
    <span className={styles.drift}>
      <DriftBar drift={drift} tolerance={tolerance} />
      <span className={styles.figure}>{signedPercent(drift)}</span>
      {symbol && <small title={symbol}>{symbol}</small>}
    </span>
  )
}
