import { useQuery } from "@tanstack/react-query"
import { useRef, useState } from "react"
import type { useBeforeSend } from "@/api/before-send"
import { messageOf } from "@/api/client"
import { firmDetailsQuery } from "@/api/shared-queries"
import { CheckList } from "@/ui/form/check-list"
import { SelectField, TextField } from "@/ui/form/fields"
import { ErrorNote } from "@/ui/states"
import styles from "./send-fields.module.css"

export interface Disclosures {
  holdings: string
  conflicts: string
  compensation: string
}

export const noDisclosures: Disclosures = { holdings: "", conflicts: "", compensation: "" }

interface SendFieldsProps {
  rationale: string
  rationalePlaceholder: string
  disclosures: Disclosures
  before: ReturnType<typeof useBeforeSend>
  /** The address of the screen that sends. */
  here: string
  onRationale: (text: string) => void
  onDisclosures: (disclosures: Disclosures) => void
  onRecompute: () => void
  onClose: () => void
}

/** What is written before advice is sent, and the checks of the server on it. */
export function SendFields(props: SendFieldsProps) {
  const { rationale, disclosures, before, onRationale, onDisclosures } = props
  const [isOpen, setIsOpen] = useState(Object.values(disclosures).some((text) => text !== ""))
  const rationaleField = useRef<HTMLDivElement>(null)
  return (
    <>
      <div className={styles.rationale} ref={rationaleField}>
        <RationaleField
          value={rationale}
          placeholder={props.rationalePlaceholder}
          onChange={onRationale}
        />
      </div>
      <DisclosureFields
        value={disclosures}
        isOpen={isOpen}
        onOpen={setIsOpen}
        onChange={onDisclosures}
      />
      {before.error && (
        <ErrorNote
          message={messageOf(before.error, "Something went wrong")}
          onRetry={before.retry}
        />
      )}
      <CheckList
        checks={before.checks}
        isRead={before.isRead}
        onRead={before.setIsRead}
        here={props.here}
        acts={{
          rationale: () => rationaleField.current?.querySelector("textarea")?.focus(),
          price_age: props.onRecompute,
          unsettled: props.onClose,
          disclosures: () => setIsOpen(true),
        }}
      />
    </>
  )
}

interface RationaleFieldProps {
  value: string
  placeholder: string
  onChange: (text: string) => void
}

/** Typed, or started from one of the firm's texts. */
function RationaleField({ value, placeholder, onChange }: RationaleFieldProps) {
  const { data: firm } = useQuery(firmDetailsQuery)
  const texts = firm?.rationales ?? []
  const textNamed = (name: string) => texts.find((text) => text.name === name)?.text
  return (
    <>
      {texts.length > 0 && (
        <SelectField
          label="Rationale text"
          options={Object.fromEntries(texts.map(({ name }) => [name, name]))}
          placeholder="Choose a text"
          value={texts.find(({ text }) => text === value)?.name ?? ""}
          onChange={(event) => {
            const text = textNamed(event.currentTarget.value)
            if (text !== undefined) onChange(text)
          }}
        />
      )}
      <TextField
        label="Rationale"
        data-autofocus
        value={value}
        maxLength={5000}
        placeholder={placeholder}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </>
  )
}

const disclosureLabels: Record<keyof Disclosures, string> = {
  holdings: "Holdings of the analyst and relatives in these stocks",
  conflicts: "Conflicts of interest",
  compensation: "Compensation received",
}

interface DisclosureFieldsProps {
  value: Disclosures
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onChange: (disclosures: Disclosures) => void
}

/** Disclosures for this advice, besides the firm's standard text. */
function DisclosureFields({ value, isOpen, onOpen, onChange }: DisclosureFieldsProps) {
  return (
    <details
      className={styles.disclosures}
      open={isOpen}
      onToggle={(event) => onOpen(event.currentTarget.open)}
    >
      <summary>Disclosures for this advice</summary>
      <p>If empty, the firm&apos;s standard text is used.</p>
      {(Object.keys(disclosureLabels) as (keyof Disclosures)[]).map((name) => (
        <TextField
          key={name}
          label={disclosureLabels[name]}
          minRows={2}
          maxLength={1000}
          value={value[name]}
          onChange={(event) => onChange({ ...value, [name]: event.currentTarget.value })}
        />
      ))}
    </details>
  )
}
