import { TextInput, type TextInputProps } from "@mantine/core"
import { type FocusEvent, type Ref, useState } from "react"
import { dashedDate, type Day, readDay } from "@/lib/dates"
import { lazyComponent } from "@/ui/lazy-component"
import { useAnchor } from "@/ui/overlay/use-anchor"
import { CalendarButton } from "./calendar-button"

const DayPopover = lazyComponent(() => import("./day-popover"))

interface DateFieldProps extends Omit<
  TextInputProps,
  "value" | "defaultValue" | "onChange" | "min" | "max" | "type"
> {
  /** A `Day`; empty while none is chosen. */
  value?: string
  /** Called with every `Day` that is typed or picked, and with an empty text while what is typed is no day. */
  onChange?: (day: string) => void
  /** The first and the last day that can be picked; what is typed beyond them is said. */
  min?: Day
  max?: Day
  ref?: Ref<HTMLInputElement>
}

/** A day, typed as 20-11-2026 (also with slashes, dots or nothing between) or picked. */
export function DateField({ value = "", onChange, min, max, error, ...rest }: DateFieldProps) {
  const { at, close, buttonProps } = useAnchor()
  /** What is being typed; null once it is a day that the field can write itself. */
  const [draft, setDraft] = useState<string | null>(null)
  const [isLeft, setIsLeft] = useState(false)
  const name = rest["aria-label"] ?? (typeof rest.label === "string" ? rest.label : "")

  const type = (text: string) => {
    setDraft(text)
    setIsLeft(false)
    onChange?.(readDay(text) ?? "")
  }
  const leave = (event: FocusEvent<HTMLInputElement>) => {
    setIsLeft(true)
    if (draft !== null && (draft.trim() === "" || readDay(draft))) setDraft(null)
    rest.onBlur?.(event)
  }
  const pick = (day: Day) => {
    setDraft(null)
    close()
    onChange?.(day)
  }
  const fault =
    draft !== null && draft.trim() !== "" && !readDay(draft)
      ? "Please select a valid date"
      : max && value > max
        ? `Not after ${dashedDate(max)}`
        : min && value && value < min
          ? `Not before ${dashedDate(min)}`
          : undefined
  return (
    <>
      <TextInput
        placeholder="dd-mm-yyyy"
        autoComplete="off"
        inputMode="numeric"
        {...rest}
        value={draft ?? (value ? dashedDate(value) : "")}
        error={error || (isLeft && fault)}
        onChange={(event) => type(event.currentTarget.value)}
        onBlur={leave}
        rightSectionWidth={36}
        rightSection={
          <CalendarButton label="Open calendar" disabled={rest.disabled} {...buttonProps} />
        }
      />
      {at && (
        <DayPopover
          at={at}
          label={name}
          onClose={close}
          value={value || null}
          onDay={pick}
          min={min}
          max={max}
        />
      )}
    </>
  )
}
