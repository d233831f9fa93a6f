import { TextInput, type TextInputProps } from "@mantine/core"
import {
  type ChangeEvent,
  type KeyboardEvent,
  type MouseEvent,
  type Ref,
  useRef,
  useState,
} from "react"
import { groupedDigits } from "@/lib/format"

export interface NumberFormat {
  /** How a number that is not being typed is written. */
  settled: (value: number) => string
  /** The most decimals that are taken in. */
  decimals: number
  prefix?: string
  suffix?: string
  /** Groups as lakh and crore while typing. */
  isGrouped?: boolean
  allowNegative?: boolean
}

interface NumberInputProps extends Omit<TextInputProps, "value" | "onChange" | "max" | "step"> {
  ref?: Ref<HTMLInputElement>
  format: NumberFormat
  value: number | ""
  /** Called with each key that changes the number, and with the arrow keys' steps. */
  onChange: (value: number | "") => void
  /** A larger number becomes this one when the field is left. */
  max?: number
  /** What Up and Down add and take away. */
  step?: number
}

/** The part of a text that belongs to a number: a sign where one is allowed, digits, a point, no more decimals than allowed. */
function numberIn(text: string, { decimals, allowNegative }: NumberFormat): string {
  const [whole = "", ...rest] = text.replace(/[^\d.]/g, "").split(".")
  const sign = allowNegative && text.trimStart().startsWith("-") ? "-" : ""
  return sign + whole + (rest.length > 0 ? `.${rest.join("").slice(0, decimals)}` : "")
}

const valueOf = (number: string): number | "" => (/\d/.test(number) ? Number(number) : "")

/** A number as it is typed, with its signs around it; nothing stays nothing. */
function writtenWith(number: string, { prefix = "", suffix = "", isGrouped }: NumberFormat) {
  if (number === "") return ""
  const [, sign = "", whole = "", rest = ""] = /^(-?)(\d*)(.*)$/.exec(number) ?? []
  return sign + prefix + (isGrouped ? groupedDigits(whole) : whole) + rest + suffix
}

/** The place in a text behind so many characters of its number. */
function placeBehind(text: string, count: number): number {
  const places = [...text.matchAll(/[\d.-]/g)].map((match) => match.index + 1)
  return count === 0 ? (places[0] ?? 1) - 1 : (places[count - 1] ?? text.length)
}

/** A click into a field that had no focus selects all of it, where the browser would place the caret. */
function focusOnPress(event: MouseEvent<HTMLInputElement>) {
  const field = event.currentTarget
  if (event.button !== 0 || document.activeElement === field) return
  event.preventDefault()
  field.focus()
}

/**
 * A field for a number. The first key counts, however fast it follows the focus: what the field holds is selected
 * with the focus itself, and nothing is done later, by a timer, to the text or to the caret.
 */
export function NumberInput({ format, value, onChange, max, step = 1, ...rest }: NumberInputProps) {
  const [typed, setTyped] = useState<string | null>(null)
  /** The value when typing began. */
  const before = useRef(value)
  const isTyped = typed !== null && valueOf(numberIn(typed, format)) === value
  const change = (event: ChangeEvent<HTMLInputElement>) => {
    const field = event.currentTarget
    const caret = field.selectionStart ?? field.value.length
    const behind = numberIn(field.value.slice(0, caret), format).length
    const number = numberIn(field.value, format)
    const text = writtenWith(number, format)
    // Written here, and not when it is drawn, so that the caret stays where it is.
    field.value = text
    const place = placeBehind(text, behind)
    field.setSelectionRange(place, place)
    if (typed === null) before.current = value
    setTyped(text)
    const next = valueOf(number)
    if (next !== value) onChange(next)
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    rest.onKeyDown?.(event)
    if (event.key === "Enter" || event.key === "Escape") setTyped(null)
    // The browser's own undo knows nothing of a text that was written here.
    if (typed !== null && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault()
      setTyped(null)
      onChange(before.current)
    }
    const by = { ArrowUp: step, ArrowDown: -step }[event.key]
    if (by === undefined || event.defaultPrevented || rest.readOnly) return
    event.preventDefault()
    const scale = 10 ** format.decimals
    const next = Math.round(((value === "" ? 0 : value) + by) * scale) / scale
    const least = format.allowNegative ? -Infinity : 0
    setTyped(null)
    onChange(Math.min(Math.max(next, least), max ?? Infinity))
  }
  return (
    <TextInput
      withAsterisk={false}
      inputMode="decimal"
      autoComplete="off"
      {...rest}
      value={isTyped ? typed : value === "" ? "" : format.settled(value)}
      onChange={change}
      onKeyDown={press}
      onMouseDown={focusOnPress}
      onFocus={(event) => {
        event.currentTarget.select()
        rest.onFocus?.(event)
      }}
      onBlur={(event) => {
        setTyped(null)
        if (max !== undefined && value !== "" && value > max) onChange(max)
        rest.onBlur?.(event)
      }}
    />
  )
}
