import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from "react"
import styles from "./auth-page.module.css"

export const DIGITS = 4
const places = Array.from({ length: DIGITS }, (_, place) => place)
const digitsIn = (text: string) => text.replace(/\D/g, "")

interface CodeBoxesProps {
  /** One text a box: a digit, or nothing. */
  digits: string[]
  error: string | null
  disabled: boolean
  onChange: (digits: string[]) => void
}

/** Four boxes for four digits: typing moves to the next, Backspace to the previous, arrows move, a paste fills them. */
export function CodeBoxes({ digits, error, disabled, onChange }: CodeBoxesProps) {
  const boxes = useRef<(HTMLInputElement | null)[]>([])
  const isEmpty = digits.every((digit) => digit === "")
  const go = (place: number) => boxes.current[Math.min(Math.max(place, 0), DIGITS - 1)]?.focus()

  useEffect(() => {
    if (isEmpty && !disabled) boxes.current[0]?.focus()
  }, [isEmpty, disabled])

  const fill = (place: number, text: string) => {
    const typed = digitsIn(text).slice(0, DIGITS - place)
    onChange(digits.toSpliced(place, Math.max(typed.length, 1), ...(typed || " ").trim().split("")))
    go(place + typed.length)
  }
  const change = (place: number, text: string) => {
    // A second digit replaces the first.
    const fresh = text.length > 1 ? digitsIn(text.replace(digits[place] ?? "", "")) : digitsIn(text)
    if (fresh !== "") fill(place, fresh)
    else if (text === "") onChange(digits.with(place, ""))
  }
  const press = (event: KeyboardEvent<HTMLInputElement>, place: number) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      go(place + step)
    } else if (event.key === "Backspace" && digits[place] === "" && place > 0) {
      event.preventDefault()
      onChange(digits.with(place - 1, ""))
      go(place - 1)
    }
  }
  const paste = (event: ClipboardEvent<HTMLInputElement>, place: number) => {
    event.preventDefault()
    const text = digitsIn(event.clipboardData.getData("text"))
    if (text !== "") fill(text.length >= DIGITS ? 0 : place, text)
  }
  return (
    <div role="group" aria-label="One-time code">
      <div className={styles.boxes}>
        {places.map((place) => (
          <input
            key={place}
            ref={(box) => {
              boxes.current[place] = box
            }}
            className={styles.digit}
            aria-label={`Digit ${place + 1} of ${DIGITS}`}
            aria-invalid={error !== null}
            aria-describedby={error === null ? undefined : "code-error"}
            inputMode="numeric"
            autoComplete={place === 0 ? "one-time-code" : "off"}
            value={digits[place] ?? ""}
            disabled={disabled}
            onChange={(event) => change(place, event.currentTarget.value)}
            onKeyDown={(event) => press(event, place)}
            onPaste={(event) => paste(event, place)}
            onFocus={(event) => event.currentTarget.select()}
          />
        ))}
      </div>
      {error !== null && (
        <p className={styles.fault} id="code-error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
