import type { ChangeEvent, ComponentPropsWithRef, ReactNode } from "react"
import { Field } from "@/ui/form/fields"

/** "C", "c10", "1007": a code, or the beginning of one. */
const CODE_LIKE = /^\s*(c?\s*$|c?\d)/i
const LONE_C = /^\s*c$/i
const COMPLETE = /^C\d{4}$/

export interface ClientCodeProps {
  /** The code as typed so far. */
  code: string
  onCode: (code: string) => void
  rightSection?: ReactNode
}

export interface CodeSearchProps extends ClientCodeProps {
  /** A name that is being typed; the code stays as it is until a client is chosen. */
  name: string | null
  onName: (name: string | null) => void
  /** The field that was here before, if it had the focus. */
  fieldBefore: () => HTMLInputElement | null
}

interface CodeInputProps
  extends
    Omit<ComponentPropsWithRef<"input">, "name" | "size" | "color" | "style">,
    Omit<CodeSearchProps, "onName" | "fieldBefore"> {
  onName: (name: string) => void
  /** The name that was being typed is given up. */
  onLeave: () => void
}

/** The field itself: tells a code from a name while either is typed. */
export function CodeInput({ code, name, onCode, onName, onLeave, ...rest }: CodeInputProps) {
  const type = (event: ChangeEvent<HTMLInputElement>) => {
    // Ctrl Z in the browser must not undo the code.
    const { inputType } = event.nativeEvent as InputEvent
    if (/^history/.test(inputType)) return
    const text = event.currentTarget.value
    // The first letter over a whole code may begin a name: the client stays until that is known.
    const mayBeName = LONE_C.test(text) && COMPLETE.test(code)
    if (!CODE_LIKE.test(text) || mayBeName) {
      onName(text)
      return
    }
    onLeave()
    onCode(text)
  }
  return (
    <Field
      label="Client code"
      placeholder="C1007 or a name"
      maxLength={100}
      autoComplete="off"
      spellCheck={false}
      {...rest}
      value={name ?? code}
      data-client-code
      onChange={type}
      onBlur={onLeave}
      onKeyDown={(event) => {
        rest.onKeyDown?.(event)
        if (event.key !== "Escape" || name === null) return
        event.stopPropagation()
        onLeave()
      }}
    />
  )
}
