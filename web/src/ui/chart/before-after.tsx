import { percent, unbrokenPercents } from "@/lib/format"
import styles from "./before-after.module.css"
import { StatusPill } from "@/ui/status-pill"

/** One stock of a rebalance; shares in percent, null where there is no price or no target. */
interface SharesOfStock extends Shares {
  type: string
  symbol: string
  exchange: string
  message: string
}

interface Shares {
  previousAllocationPercentage: number | null
  possibleAllocationPercentage: number | null
  allocationPercentage: number | null
}

interface BeforeAfterProps<Row> {
  rows: Row[]
  /** Rows that are not traded, which are drawn in a muted colour. */
  isMuted: (row: Row) => boolean
}

/** Each stock's share before and after the trades against its target, and the reason for what is done. */
export function BeforeAfter<Row extends SharesOfStock>({ rows, isMuted }: BeforeAfterProps<Row>) {
  const most = mostShare(rows)
  return (
    // A region that scrolls must be reachable by keyboard.
    <div
      className={styles.scrolls}
      role="region"
      aria-label="Before and after, list"
      // eslint-disable-next-line jsx-a11y-x/no-noninteractive-tabindex
      tabIndex={0}
    >
      <ul className={styles.beforeAfter} aria-label="Before and after">
        {rows.map((row) => (
          <li key={`${row.exchange}:${row.symbol}`} data-muted={isMuted(row)}>
            <span>
              <StatusPill word={row.type} />
            </span>
            <strong className={styles.symbol}>{row.symbol}</strong>
            <BeforeAfterBar row={row} most={most} />
            <span className={styles.shares}>
              {percent(row.previousAllocationPercentage)} →{" "}
              {percent(row.possibleAllocationPercentage)}
            </span>
            <span className={styles.reason}>{unbrokenPercents(row.message)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The largest share of some rows, for bars of one scale. */
export const mostShare = (rows: Shares[]) =>
  Math.max(
    1,
    ...rows.flatMap((row) => [
      row.previousAllocationPercentage ?? 0,
      row.allocationPercentage ?? 0,
      row.possibleAllocationPercentage ?? 0,
    ]),
  )

/** Grey is now, blue is after, the tick is the target. */
export function BeforeAfterBar({ row, most }: { row: Shares; most: number }) {
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
