import type { ReactNode } from "react"
import { percent } from "@/lib/format"
import styles from "./bars.module.css"

export interface Bar {
  name: string
  /** Percent of the whole, as written beside the bar. */
  share: number
  /** Under the pointer and to screen readers. */
  description?: string
  /** Columns at the right of the share, such as value and return. */
  asides?: ReactNode[]
}

/** Parts of a whole as ranked bars; the largest fills the track. */
export function Bars({ label, bars }: { label: string; bars: Bar[] }) {
  const largest = Math.max(...bars.map((bar) => bar.share), Number.MIN_VALUE)
  return (
    <ul className={styles.bars} aria-label={label}>
      {bars.map((bar) => (
        <li key={bar.name} title={bar.description}>
          <span className={styles.name}>{bar.name}</span>
          <span className={styles.track} aria-hidden="true">
            <span style={{ width: `${Math.max(0, (bar.share / largest) * 100)}%` }} />
          </span>
          <span className={styles.figure}>{percent(bar.share)}</span>
          {bar.asides?.map((aside, index) => (
            <span key={index} className={styles.figure} data-aside>
              {aside}
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}

/** A share in percent with its bar before it, in a row; the largest of the shares fills the track. */
export function ShareBar({ share, largest }: { share: number; largest: number }) {
  const filled = largest > 0 ? Math.min(1, Math.max(0, share / largest)) : 0
  return (
    <span className={styles.share}>
      <span className={styles.track} aria-hidden="true">
        <span style={{ width: `${filled * 100}%` }} />
      </span>
      {percent(share)}
    </span>
  )
}

interface DriftBarProps {
  /** Percentage points, positive above the target. */
  drift: number
  /** A mark on both sides: drift of as much or more is outside the tolerance. */
  tolerance?: number | undefined
  /** The drift that fills a side. */
  max?: number
}

/**
 * How far a share is from its target, from a centre line: to the left when it is below, to the right when above. The
 * length grows with the square root, so that a drift near the tolerance is seen beside one of 25 points.
 */
export function DriftBar({ drift, tolerance, max = 25 }: DriftBarProps) {
  const lengthOf = (points: number) => Math.sqrt(Math.min(1, Math.abs(points) / max)) * 50
  const length = lengthOf(drift)
  const side = drift < 0 ? { right: "50%" } : { left: "50%" }
  const words = wordsOf(drift, tolerance)
  const mark = tolerance ? lengthOf(tolerance) : 0
  return (
    <span className={styles.drift} role="img" aria-label={words} title={words}>
      <span
        className={styles.amount}
        style={{ ...side, width: `max(${length}%, ${drift === 0 ? 0 : 2}px)` }}
      />
      {mark > 0 && (
        <>
          <span className={styles.tolerance} style={{ left: `${50 - mark}%` }} />
          <span className={styles.tolerance} style={{ left: `${50 + mark}%` }} />
        </>
      )}
    </span>
  )
}

function wordsOf(drift: number, tolerance: number | undefined) {
  if (drift === 0) return "On target"
  const words = `${percent(Math.abs(drift))} ${drift > 0 ? "above" : "below"} target`
  if (!tolerance || Math.abs(drift) < tolerance) return words
  return `${words}, outside the tolerance of ${percent(tolerance)}`
}
