import { useSyncExternalStore } from "react"
import { percent } from "@/lib/format"
import { createStore } from "@/lib/store"
import { Button } from "@/ui/button"
import styles from "./advice.module.css"
import {
  type AdviceRow,
  isCash,
  keyOf,
  NEAR_LIMIT,
  percentOf,
  rowsToFill,
  totalOf,
  WHOLE,
} from "./targets"
import { fillRest, normaliseAll } from "./use-advice"

/** The row under the pointer, whose segment is lit. */
export const litRow = createStore<string | null>(null)

/** How strong each next segment's hue is, so that neighbours can be told apart. */
const SHADES = [100, 72, 48, 86, 60, 38]

/** How much of 100% the targets take, a segment a row, and what may be done with the rest. */
export function AllocationMeter({ rows }: { rows: AdviceRow[] }) {
  const lit = useSyncExternalStore(litRow.subscribe, litRow.get)
  const total = totalOf(rows)
  const isNear = total > NEAR_LIMIT
  const isAnyLit = rows.some((row) => keyOf(row) === lit && (row.target ?? 0) > 0)
  const allocated = percent(percentOf(total))
  const left = `${percent(percentOf(WHOLE - total))} left of 100%`
  return (
    <div className={styles.meter} data-near={isNear}>
      <div className={styles.meterHead}>
        <h2>Target allocation</h2>
        <div className={styles.quiet}>
          <Button
            kind="subtle"
            disabled={total >= WHOLE || rowsToFill(rows).length === 0}
            onClick={fillRest}
          >
            Fill the rest
          </Button>
          <Button kind="subtle" disabled={total === 0 || total === WHOLE} onClick={normaliseAll}>
            Normalise to 100%
          </Button>
        </div>
        <p className={styles.meterText}>
          <strong>{allocated}</strong> allocated · {left}
        </p>
      </div>
      <div
        className={styles.track}
        role="meter"
        aria-label="Target allocation"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percentOf(total)}
        aria-valuetext={`${allocated} allocated · ${left}`}
        data-lit={isAnyLit}
      >
        {rows.map((row, place) => {
          const key = keyOf(row)
          if ((row.target ?? 0) === 0) return null
          return (
            <span
              key={key}
              title={`${row.tradingSymbol} ${percent(percentOf(row.target ?? 0))}`}
              data-cash={isCash(row)}
              data-on={key === lit}
              style={{
                width: `${percentOf(row.target ?? 0)}%`,
                ["--shade" as string]: `${SHADES[place % SHADES.length] ?? 100}%`,
              }}
            />
          )
        })}
      </div>
    </div>
  )
}
