import { dateTime } from "@/lib/dates"
import { decimal, missing, percent, rupees } from "@/lib/format"
import { useAmountsHidden } from "@/ui/money"
import { StatusPill } from "@/ui/status-pill"
import styles from "./advice.module.css"
import type { Rebalance, RebalanceRow } from "./draft"
import { isTraded } from "./sending"

const chargeNames = {
  brokerage: "Brokerage",
  stt: "Transaction tax (STT)",
  exchange: "Exchange",
  sebi: "SEBI fee",
  stamp: "Stamp duty",
  depository: "Depository",
  gst: "GST",
} as const

const brokers: Partial<Record<string, string>> = { ZERODHA: "Zerodha", ANGEL_ONE: "Angel One" }
const sources: Partial<Record<string, string>> = {
  ZERODHA: "Zerodha",
  ANGEL_ONE: "Angel One",
  SIMULATED: "simulated",
  CLOSE: "closing prices",
}

/** How near the targets the trades come, and what they cost. */
export function RebalanceSummary({ answer }: { answer: Rebalance }) {
  useAmountsHidden()
  const { summary, notices, pricedAt, priceSource } = answer
  const gap = summary.provedGapBps
  const lines: [string, string, string?][] = [
    [
      "Tracking error",
      `${decimal(summary.trackingErrorBps)} bp`,
      "Distance from the targets, cash among them",
    ],
    [
      "Proved gap",
      gap === 0 ? "Best possible" : `at most ${gap} bp`,
      "How much nearer any other plan could be",
    ],
    ["Active share", percent(summary.activeSharePct)],
    ["Turnover", percent(summary.turnoverPct)],
    ["Funds to add", rupees(summary.fundsToAdd)],
  ]
  return (
    <>
      {notices.length > 0 && (
        <ul className={styles.notices} aria-label="Notices">
          {notices.map((notice) => (
            <li key={notice}>{notice}</li>
          ))}
        </ul>
      )}
      <dl className={styles.summary}>
        {lines.map(([name, figure, title]) => (
          <div key={name} title={title}>
            <dt>{name}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      <details className={styles.charges}>
        <summary>
          <span>Estimated charges ({brokers[summary.chargesBroker] ?? summary.chargesBroker})</span>
          <strong>{rupees(summary.estimatedCharges)}</strong>
        </summary>
        <dl className={styles.summary}>
          {(Object.keys(chargeNames) as (keyof typeof chargeNames)[]).map((name) => (
            <div key={name}>
              <dt>{chargeNames[name]}</dt>
              <dd>{rupees(summary.chargesBreakdown[name])}</dd>
            </div>
          ))}
        </dl>
      </details>
      <p className={styles.priced}>
        Prices read {dateTime(pricedAt)}
        {priceSource.sources.length > 0 &&
          ` (${priceSource.sources.map((each) => sources[each] ?? each).join(", ")})`}
        {priceSource.oldestAt !== null &&
          `; the oldest, ${priceSource.oldestSymbol ?? missing}, is of ${dateTime(priceSource.oldestAt)}`}
      </p>
    </>
  )
}

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
    </div>
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
