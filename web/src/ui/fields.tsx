import { NativeSelect, NumberInput, Textarea, TextInput, type TextInputProps } from "@mantine/core"
import { Eye, EyeOff } from "lucide-react"
import { type ReactNode, useState } from "react"
import { IconButton } from "./button"
import styles from "./fields.module.css"
import { useAmountsHidden } from "./money"

type FieldProps = Omit<TextInputProps, "size" | "variant">

/** One line of text. Label above, hint below, the error in the hint's place. */
export function Field(props: FieldProps) {
  return <TextInput withAsterisk={false} {...props} />
}

interface TextFieldProps {
  label: string
  value?: string
  error?: ReactNode
  minRows?: number
  maxLength?: number
  placeholder?: string
  disabled?: boolean
  "data-autofocus"?: boolean
  onChange?: (event: React.ChangeEvent<HTMLTextAreaElement>) => void
  onKeyDown?: (event: React.KeyboardEvent<HTMLTextAreaElement>) => void
}

/** Several lines of text, as high as `minRows`. */
export function TextField({ minRows = 3, ...rest }: TextFieldProps) {
  return <Textarea rows={minRows} resize="vertical" {...rest} />
}

interface SelectFieldProps {
  label: string
  /** Shown text by value, or texts that are their own values. */
  options: Record<string, string> | string[]
  value?: string
  /** The first, empty choice. */
  placeholder?: string
  error?: ReactNode
  description?: ReactNode
  disabled?: boolean
  hideLabel?: boolean
  onChange?: (event: React.ChangeEvent<HTMLSelectElement>) => void
  onBlur?: (event: React.FocusEvent<HTMLSelectElement>) => void
}

/** One of a few, with the device's own list. */
export function SelectField({ options, placeholder, hideLabel, label, ...rest }: SelectFieldProps) {
  const choices = Array.isArray(options)
    ? options
    : Object.entries(options).map(([value, text]) => ({ value, label: text }))
  return (
    <NativeSelect
      label={hideLabel ? undefined : label}
      aria-label={hideLabel ? label : undefined}
      data={placeholder === undefined ? choices : [{ value: "", label: placeholder }, ...choices]}
      {...rest}
    />
  )
}

/** A password, with an eye that shows and hides what is typed. */
export function PasswordField({ label, ...rest }: FieldProps & { label: string }) {
  const [isShown, setIsShown] = useState(false)
  const Picture = isShown ? EyeOff : Eye
  return (
    <TextInput
      label={label}
      type={isShown ? "text" : "password"}
      autoCapitalize="none"
      spellCheck={false}
      rightSectionWidth={40}
      rightSection={
        <IconButton
          label={`${isShown ? "Hide" : "Show"} ${label.toLowerCase()}`}
          icon={<Picture size={16} aria-hidden="true" />}
          aria-pressed={isShown}
          onClick={() => setIsShown(!isShown)}
        />
      }
      {...rest}
    />
  )
}

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
  return (
    <NumberInput
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
      selectAllOnFocus
      {...rest}
      onFocus={() => {
        setIsTyping(true)
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
      selectAllOnFocus
      {...rest}
      onChange={(value) => rest.onChange?.(toNumber(value))}
    />
  )
}

const toNumber = (value: number | string): number | "" =>
  typeof value === "number" ? value : value.trim() === "" ? "" : Number(value)
