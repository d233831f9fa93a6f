import { NativeSelect, Textarea, TextInput, type TextInputProps } from "@mantine/core"
import { Eye, EyeOff } from "lucide-react"
import { type ReactNode, type Ref, useState } from "react"
import { IconButton } from "@/ui/button"

type FieldProps = Omit<TextInputProps, "size" | "variant"> & { ref?: Ref<HTMLInputElement> }

/** One line of text. Label above, hint below, the error in the hint's place. */
export function Field(props: FieldProps) {
  return <TextInput withAsterisk={false} {...props} />
}

interface TextFieldProps {
  label: string
  value?: string
  error?: ReactNode
  description?: ReactNode
  minRows?: number
  maxLength?: number
  placeholder?: string
  disabled?: boolean
  readOnly?: boolean
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
