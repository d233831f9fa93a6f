import type { ReactNode } from "react"
import { fieldRate, fieldRupees, percent } from "@/lib/format"
import styles from "./fields.module.css"
import { useAmountsHidden } from "@/ui/money"
import { type NumberFormat, NumberInput } from "./number-input"

export interface NumberFieldProps {
  label: string
  /** Rupees or percent; `""` when empty. */
  value?: number | ""
  onChange?: (value: number | "") => void
  onBlur?: () => void
  onFocus?: () => void
  error?: ReactNode
  description?: ReactNode
  disabled?: boolean
  readOnly?: boolean
  hideLabel?: boolean
  placeholder?: string
  max?: number
  allowNegative?: boolean
  "data-autofocus"?: boolean
  name?: string
}

const sum = { settled: fieldRupees, decimals: 2, prefix: "₹", isGrouped: true }
export const percentFormat: NumberFormat = { settled: percent, decimals: 2, suffix: "%" }
const rate = { decimals: 8, prefix: "", suffix: "" }
const rates = {
  percent: { ...rate, suffix: "%", settled: (value: number) => `${fieldRate(value)}%` },
  rupees: { ...rate, prefix: "₹", settled: (value: number) => `₹${fieldRate(value)}` },
  none: { ...rate, settled: fieldRate },
}

/** What the fields of this page have in common. */
function LabelledNumber({
  label,
  hideLabel,
  value = "",
  onChange,
  inputClass = styles.sum,
  ...rest
}: Omit<NumberFieldProps, "allowNegative"> & {
  format: NumberFormat
  step?: number
  inputClass?: string
}) {
  return (
    <NumberInput
      label={hideLabel ? undefined : label}
      aria-label={hideLabel ? label : undefined}
      classNames={{ input: inputClass }}
      value={value}
      onChange={(next) => onChange?.(next)}
      {...rest}
    />
  )
}

/** Rupees, grouped as lakh and crore while they are typed; a focused sum is selected. */
export function MoneyField({ allowNegative, ...rest }: NumberFieldProps) {
  const inputClass = useAmountsHidden() ? styles.hiddenSum : styles.sum
  return <LabelledNumber format={{ ...sum, allowNegative }} inputClass={inputClass} {...rest} />
}

/** A share of a whole, 0 to 100 in steps of 0.01, with its `%`. */
export const PercentField = ({ max = 100, ...rest }: NumberFieldProps) => (
  <LabelledNumber format={percentFormat} step={0.01} max={max} {...rest} />
)

/** A small rate with up to eight decimals, in percent, in rupees or plain. */
export const RateField = ({
  unit,
  ...rest
}: NumberFieldProps & { unit: "percent" | "rupees" | "none" }) => (
  <LabelledNumber format={rates[unit]} {...rest} />
)
