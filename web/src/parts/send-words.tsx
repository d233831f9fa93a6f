import type { Ref } from "react"
import { SelectField, TextField } from "@/ui/form/fields"
import styles from "./send-words.module.css"

export interface Disclosures {
  holdings: string
  conflicts: string
  compensation: string
}

const questions: Record<keyof Disclosures, string> = {
  holdings: "Holdings of the analyst and relatives in these stocks",
  conflicts: "Conflicts of interest",
  compensation: "Compensation received",
}

interface RationaleProps {
  value: string
  placeholder: string
  /** Texts that the firm keeps, to be chosen from. */
  choices: { name: string; text: string }[]
  onChange: (text: string) => void
  ref?: Ref<HTMLDivElement>
}

/** Why the trades are advised: typed, or one of the firm's texts to begin with. */
export function RationaleField({ value, placeholder, choices, onChange, ref }: RationaleProps) {
  const chosen = choices.find(({ text }) => text === value)
  return (
    <div className={styles.rationale} ref={ref}>
      {choices.length > 0 && (
        <SelectField
          label="Rationale text"
          options={Object.fromEntries(choices.map(({ name }) => [name, name]))}
          placeholder="Choose a text"
          value={chosen?.name ?? ""}
          onChange={(event) => {
            const found = choices.find(({ name }) => name === event.currentTarget.value)
            if (found) onChange(found.text)
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
    </div>
  )
}

interface DisclosureProps {
  value: Disclosures
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onChange: (disclosures: Disclosures) => void
}

/** What is disclosed for this advice beside the firm's own text. */
export function DisclosureFields({ value, isOpen, onOpen, onChange }: DisclosureProps) {
  return (
    <details
      className={styles.disclosures}
      open={isOpen}
      onToggle={(event) => onOpen(event.currentTarget.open)}
    >
      <summary>Disclosures for this advice</summary>
      <p>If empty, the firm&apos;s standard text is used.</p>
      {(Object.keys(questions) as (keyof Disclosures)[]).map((name) => (
        <TextField
          key={name}
          label={questions[name]}
          minRows={2}
          maxLength={1000}
          value={value[name]}
          onChange={(event) => onChange({ ...value, [name]: event.currentTarget.value })}
        />
      ))}
    </details>
  )
}
