import { useSyncExternalStore } from "react"
import {
  amountsHidden,
  type Figure,
  hidden,
  rupees,
  shortRupees,
  signedPercent,
  signedRupees,
  tone,
} from "@/lib/format"
import styles from "./money.module.css"

/** Whether amounts are hidden; a component that calls it formats again when that changes. */
export const useAmountsHidden = () =>
  useSyncExternalStore(amountsHidden.subscribe, amountsHidden.get)

interface MoneyProps {
  value: Figure
  /** Short form for headlines: the full sum is the tooltip and the accessible name. */
  short?: boolean
}

/** Rupees, outside a table's columns (there `rupees()` does). */
export function Money({ value, short = false }: MoneyProps) {
  const isHidden = useAmountsHidden()
  const full = rupees(value)
  if (!short)
    return (
      <span className={styles.figure} data-sum="full">
        {full}
      </span>
    )
  return (
    <span className={styles.figure} title={isHidden ? undefined : full}>
      <span aria-hidden="true">{shortRupees(value)}</span>
      <span className="sr-only">{full === hidden ? "Amount hidden" : full}</span>
    </span>
  )
}

interface ChangeProps {
  /** Rupees gained or lost; leave it out to show the percentage alone. */
  value?: Figure
  percentage?: Figure
  /** The gain of the shares since they were bought: nothing tells what was put in. */
  isSincePurchase?: boolean
}

/** A gain or a loss: sign, colour, and the percentage one size smaller in a fixed width. */
export function Change({ value, percentage, isSincePurchase = false }: ChangeProps) {
  useAmountsHidden()
  const colour = tone(value ?? percentage)
  const change = (
    <span className={[styles.figure, colour].filter(Boolean).join(" ")}>
      {value !== undefined && signedRupees(value)}
      {percentage !== undefined && (
        <span className={value === undefined ? undefined : styles.percentage}>
          {signedPercent(percentage)}
        </span>
      )}
    </span>
  )
  if (!isSincePurchase) return change
  return (
    <span>
      {change} <small className={styles.basis}>since purchase</small>
    </span>
  )
}
