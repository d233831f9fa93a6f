import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react"
import { percent } from "@/lib/format"
import { type BasisPoints, NEAR_LIMIT, percentOf, WHOLE } from "@/lib/shares"
import { createStore } from "@/lib/store"
import styles from "./target-meter.module.css"

export interface Segment {
  key: string
  name: string
  target: BasisPoints
  isCash?: boolean
}

interface TargetMeterProps {
  label: string
  segments: Segment[]
  /** Quiet buttons beside the heading. */
  acts?: ReactNode
}

/** The row under the pointer, whose segment is lit. */
const litRow = createStore<string | null>(null)

/** The strength of the hue of each next segment, so that neighbours differ. */
const SHADES = [100, 72, 48, 86, 60, 38]

/** How much of 100% the targets take, one segment per row. */
export function TargetMeter({ label, segments, acts }: TargetMeterProps) {
  const lit = useSyncExternalStore(litRow.subscribe, litRow.get)
  const total = segments.reduce((sum, { target }) => sum + target, 0)
  const isAnyLit = segments.some(({ key, target }) => key === lit && target > 0)
  const allocated = percent(percentOf(total))
  const left = `${percent(percentOf(WHOLE - total))} left of 100%`
  return (
    <div className={styles.meter} data-near={total > NEAR_LIMIT}>
      <div className={styles.head}>
        <h2>{label}</h2>
        {acts !== undefined && <div className={styles.quiet}>{acts}</div>}
        <p className={styles.text}>
          <strong>{allocated}</strong> allocated · {left}
        </p>
      </div>
      <div
        className={styles.track}
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percentOf(total)}
        aria-valuetext={`${allocated} allocated · ${left}`}
        data-lit={isAnyLit}
      >
        {segments.map(({ key, name, target, isCash = false }, place) =>
          target === 0 ? null : (
            <span
              key={key}
              title={`${name} ${percent(percentOf(target))}`}
              data-cash={isCash}
              data-on={key === lit}
              style={{
                width: `${percentOf(target)}%`,
                ["--shade" as string]: `${SHADES[place % SHADES.length] ?? 100}%`,
              }}
            />
          ),
        )}
      </div>
    </div>
  )
}

/** For the frame of the rows: lights the segment of the row (by its `data-target`) with the pointer or the focus. */
export function useLitRow() {
  const frame = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const table = frame.current
    const light = ({ target }: Event) => {
      const row = target instanceof Element ? target.closest("tbody tr, li") : null
      litRow.set(row?.querySelector<HTMLElement>("[data-target]")?.dataset.target ?? null)
    }
    const darken = () => litRow.set(null)
    table?.addEventListener("mouseover", light)
    table?.addEventListener("focusin", light)
    table?.addEventListener("mouseleave", darken)
    return () => {
      table?.removeEventListener("mouseover", light)
      table?.removeEventListener("focusin", light)
      table?.removeEventListener("mouseleave", darken)
      darken()
    }
  }, [])
  return frame
}
