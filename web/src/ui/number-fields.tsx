import { NumberInput } from "@mantine/core"
import { type ReactNode, useLayoutEffect, useRef, useState } from "react"
import styles from "./fields.module.css"
import { useAmountsHidden } from "./money"
import { selectAll } from "./select-all"

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

/** Rupees, grouped as lakh and crore while they are typed; a focused sum is selected. */
export function MoneyField({ hideLabel, label, allowNegative = false, ...rest }: NumberFieldProps) {
  const isHidden = useAmountsHidden()
  const [isTyping, setIsTyping] = useState(false)
  const hasPaise = typeof rest.value === "number" && !Number.isInteger(rest.value)
  const input = useRef<HTMLInputElement>(null)
  // A sum is drawn in another form while it is typed, which takes the selection away.
  useLayoutEffect(() => {
    if (isTyping) input.current?.select()
  }, [isTyping])
  return (
    <NumberInput
      ref={input}
      label={hideLabel ? undefined : label}
      aria-label={hideLabel ? label : undefined}
      classNames={{ input: isHidden ? styles.hiddenSum : styles.sum }}
      prefix="₹"
      thousandSeparator=","
      thousandsGroupStyle="lakh"
      decimalScale={2}
      fixedDecimalScale={hasPaise && !isTyping}
      min={allowNegative ? undefined : 0}
      allowNegative={allowNegative}
      hideControls
      inputMode="decimal"
      {...rest}
      onFocus={(event) => {
        setIsTyping(true)
        selectAll(event)
        rest.onFocus?.()
      }}
      onBlur={() => {
        setIsTyping(false)
        rest.onBlur?.()
      }}
      onChange={(value) => rest.onChange?.(toNumber(value))}
    />
  )
}

/** A share of a whole, 0 to 100 in steps of 0.01, with its `%`. */
export function PercentField({ hideLabel, label, max = 100, ...rest }: NumberFieldProps) {
  return (
    <NumberInput
      label={hideLabel ? undefined : label}
      aria-label={hideLabel ? label : undefined}
      classNames={{ input: styles.sum }}
      suffix="%"
      decimalScale={2}
      fixedDecimalScale
      min={0}
      max={max}
      step={0.01}
      allowNegative={false}
      hideControls
      inputMode="decimal"
      {...rest}
      onFocus={(event) => {
        selectAll(event)
        rest.onFocus?.()
      }}
      onChange={(value) => rest.onChange?.(toNumber(value))}
    />
  )
}

/** A small rate with up to eight decimals, in percent, in rupees or plain. */
export function RateField({
  hideLabel,
  label,
  unit,
  ...rest
}: NumberFieldProps & { unit: "percent" | "rupees" | "none" }) {
  return (
    <NumberInput
      label={hideLabel ? undefined : label}
      aria-label={hideLabel ? label : undefined}
      classNames={{ input: styles.sum }}
      prefix={unit === "rupees" ? "₹" : undefined}
      suffix={unit === "percent" ? "%" : undefined}
      decimalScale={8}
      min={0}
      allowNegative={false}
      hideControls
      inputMode="decimal"
      {...rest}
      onFocus={(event) => {
        selectAll(event)
        rest.onFocus?.()
      }}
      onChange={(value) => rest.onChange?.(toNumber(value))}
    />
  )
}

const toNumber = (value: number | string): number | "" =>
  typeof value === "number" ? value : value.trim() === "" ? "" : Number(value)
