import { useForm } from "@mantine/form"
import { type SyntheticEvent, useRef, useState } from "react"
import * as z from "zod/mini"

/** The fields of a refused call, as the server names them. */
export interface FieldRefusal {
  errors: { field: string; message: string }[]
}

export const refusesFields = (error: unknown): error is FieldRefusal =>
  typeof error === "object" && error !== null && "errors" in error && Array.isArray(error.errors)

/** Validates one draft; answers the first message of each field. */
export function faultsOf(schema: z.ZodMiniType, draft: unknown): Record<string, string> {
  const outcome = z.safeParse(schema, draft)
  const faults: Record<string, string> = {}
  for (const issue of outcome.error?.issues ?? []) {
    faults[issue.path.join(".")] ??= issue.message
  }
  return faults
}

/**
 * A form of one schema. Fields are checked when they are left with another value, and all of them on submit, which puts the focus
 * on the first error. `submit` gets the parsed values; while it runs nothing is sent twice; what the server says
 * of single fields is shown at them. Any other refusal is the caller's to show (`onError` of the mutation).
 */
export function useZodForm<Schema extends z.ZodMiniObject>(
  schema: Schema,
  submit: (values: z.output<Schema>) => unknown,
  initial: Partial<z.input<Schema>> = {},
) {
  const names = Object.keys(schema.shape)
  const empty = Object.fromEntries(names.map((name) => [name, ""]))
  const form = useForm<Record<string, unknown>>({
    initialValues: { ...empty, ...initial },
    validate: (draft) => faultsOf(schema, draft),
  })
  const [isSaving, setIsSaving] = useState(false)
  const isRunning = useRef(false)

  const focusFirst = (faults: Record<string, unknown>) => {
    const first = names.find((name) => faults[name] !== undefined)
    if (first) form.getInputNode(first)?.focus()
  }
  const send = async (draft: Record<string, unknown>) => {
    if (isRunning.current) return
    isRunning.current = true
    setIsSaving(true)
    try {
      await submit(z.parse(schema, draft))
    } catch (error) {
      if (!refusesFields(error)) return
      const faults = Object.fromEntries(error.errors.map((each) => [each.field, each.message]))
      form.setErrors(faults)
      focusFirst(faults)
    } finally {
      isRunning.current = false
      setIsSaving(false)
    }
  }

  return {
    onSubmit: (event: SyntheticEvent<HTMLFormElement>) => form.onSubmit(send, focusFirst)(event),
    /** Spread on a field: value, error and the events that keep them. */
    field: (name: keyof z.input<Schema> & string) => ({
      name,
      ...form.getInputProps(name),
      // A field that is left as it was is no mistake yet: its error would move the button one is about to press.
      onBlur: () => {
        if (form.isDirty(name)) form.validateField(name)
      },
    }),
    isSaving,
    /** Checks all fields without sending; the focus goes to the first error. True when there is none. */
    check: () => {
      const { hasErrors, errors } = form.validate()
      focusFirst(errors)
      return !hasErrors
    },
    isDirty: form.isDirty(),
    values: form.values as z.input<Schema>,
    set: (change: Partial<z.input<Schema>>) => form.setValues(change),
    reset: form.reset,
  }
}
