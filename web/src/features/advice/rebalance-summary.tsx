import { decimal, missing, percent, rupees } from "@/lib/format"
import { pricesOf } from "@/lib/price-sources"
import { useAmountsHidden } from "@/ui/money"
import { NoticeList } from "@/ui/notice"
import { TermMark } from "@/ui/term-mark"
import styles from "./advice.module.css"
import type { Rebalance } from "./draft"

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

/** How close to the targets the trades come, and what they cost. */
export function RebalanceSummary({ answer }: { answer: Rebalance }) {
  useAmountsHidden()
  const { summary, notices, priceSource } = answer
  const { stale, oldestAt, oldestSymbol } = priceSource
  const gap = summary.provedGapBps
  const lines: [name: string, figure: string][] = [
    ["Tracking error", `${decimal(summary.trackingErrorBps)} bp`],
    ["Optimality", gap === 0 ? "Closest possible" : `within ${gap} bp of the closest possible`],
    ["Active share", percent(summary.activeSharePct)],
    ["Turnover", percent(summary.turnoverPct)],
  ]
  return (
    <>
      <NoticeList notices={notices} />
      <dl className={styles.summary}>
        <div>
          <dt>Funds to add</dt>
          <dd>
            <strong>{rupees(summary.fundsToAdd)}</strong>
          </dd>
        </div>
      </dl>
      <p className={styles.explained}>
        {summary.fundsToAdd > 0
          ? "What the client adds before buying: the purchases need more than the sales and the cash bring."
          : "The sales and the cash pay for all purchases."}
      </p>
      {summary.sellValue > 0 && (
        <>
          <dl className={styles.summary}>
            <div>
              <dt>Estimated tax</dt>
              <dd>
                <strong>{rupees(summary.estimatedTax)}</strong>
              </dd>
            </div>
          </dl>
          <p className={styles.explained}>
            {summary.estimatedTax === null
              ? "Not known: the lots of a sale, or another sale of this tax year, are not known."
              : "What the sales add to the tax of this year, after set-off and exemption. Arithmetic, not tax advice."}
          </p>
        </>
      )}
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
      <details className={styles.charges}>
        <summary>
          <span>Advanced</span>
        </summary>
        <dl className={styles.summary}>
          {lines.map(([name, figure]) => (
            <div key={name}>
              <dt>
                {name}
                <TermMark label={name} />
              </dt>
              <dd>{figure}</dd>
            </div>
          ))}
        </dl>
      </details>
      <p className={styles.priced}>
        Prices: {pricesOf(answer.data) || missing}
        {oldestAt !== null && `. Oldest: ${oldestSymbol ?? missing}`}
      </p>
      {stale.length > 0 && (
        <p className={`${styles.priced ?? ""} warn`}>
          {stale.length === 1 ? "Stale price" : "Stale prices"}: {stale.join(", ")}
        </p>
      )}
    </>
  )
}
