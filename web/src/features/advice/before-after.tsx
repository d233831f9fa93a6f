import { percent } from "@/lib/format"
import { StatusPill } from "@/ui/status-pill"
import styles from "./advice.module.css"
import type { RebalanceRow } from "./draft"
import { isTraded } from "./sending"

/** Each stock's share before and after the trades against its target, and the reason for what is done. */
export function BeforeAfter({ rows }: { rows: RebalanceRow[] }) {
  const most = Math.max(
    1,
    ...rows.flatMap((row) => [
      row.previousAllocationPercentage ?? 0,
      row.allocationPercentage ?? 0,
      row.possibleAllocationPercentage ?? 0,
    ]),
  )
  return (
    <ul className={styles.beforeAfter} aria-label="Before and after">
      {rows.map((row) => (
        <li key={`${row.exchange}:${row.symbol}`} data-muted={!isTraded(row)}>
          <span className={styles.pill}>
            <StatusPill word={row.type} />
          </span>
          <strong className={styles.symbol}>{row.symbol}</strong>
          <Bar row={row} most={most} />
          <span className={styles.shares}>
            {percent(row.previousAllocationPercentage)} →{" "}
            {percent(row.possibleAllocationPercentage)}
          </span>
          <span className={styles.reason}>{row.message}</span>
        </li>
      ))}
    </ul>
  )
}

/** Grey is now, blue is after, the tick is the target. */
function Bar({ row, most }: { row: RebalanceRow; most: number }) {
  const {
    previousAllocationPercentage: before,
    possibleAllocationPercentage: after,
    allocationPercentage: target,
  } = row
  const place = (share: number | null) =>
    `${Math.min(100, Math.max(0, ((share ?? 0) / most) * 100))}%`
  const words = `${percent(before)} now, ${percent(after)} after, ${percent(target)} target`
  return (
    <span className={styles.bullet} role="img" aria-label={words} title={words}>
      <span className={styles.before} style={{ width: place(before) }} />
      <span className={styles.after} style={{ width: place(after) }} />
      {target !== null && <span className={styles.tick} style={{ left: place(target) }} />}
    </span>
  )
}
