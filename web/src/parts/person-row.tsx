import { Trash2 } from "lucide-react"
import type { ClipboardEvent } from "react"
import styles from "./add-people.module.css"
import { languages } from "./languages"
import { IconButton } from "@/ui/button"
import { Field, SelectField } from "@/ui/form/fields"
import {
  contactNumberOf,
  type Draft,
  type DraftField,
  type Faults,
  LONGEST_NUMBER,
} from "./person-rows"
import { useIsPhone } from "@/ui/use-media"

interface PersonRowProps {
  /** What a row adds: "Client". */
  kind: string
  roles: readonly string[]
  draft: Draft
  /** Starts at 0; on a desktop only the first row shows labels. */
  place: number
  faults: Faults
  isOnly: boolean
  onChange: (field: DraftField, value: string) => void
  onLeave: (field: DraftField) => void
  /** Answers true when the text was a table and has been taken in. */
  onPaste: (text: string) => boolean
  onRemove: () => void
}

/** One person to be added. */
export function PersonRow(props: PersonRowProps) {
  const { kind, roles, draft, place, faults, isOnly } = props
  const { onChange, onLeave, onPaste, onRemove } = props
  const isPhone = useIsPhone()
  const showsLabels = place === 0 || isPhone
  const named = (label: string) =>
    showsLabels ? { label } : { "aria-label": `${label} of row ${place + 1}` }
  const field = (name: Exclude<DraftField, "language">, tidy = (text: string) => text) => ({
    value: draft[name],
    error: faults[name],
    autoComplete: "off",
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange(name, tidy(event.currentTarget.value)),
    onBlur: () => draft[name] !== "" && onLeave(name),
    onPaste: (event: ClipboardEvent) => {
      if (onPaste(event.clipboardData.getData("text"))) event.preventDefault()
    },
  })
  return (
    <div
      className={styles.row}
      data-first={place === 0}
      data-only={isOnly}
      data-language={draft.language !== undefined}
      role="group"
      aria-label={`${kind} ${place + 1}`}
    >
      <Field {...named("Name")} {...field("name")} maxLength={100} data-autofocus={place === 0} />
      <Field
        {...named("Code")}
        {...field("countryCode", (text) => text.replace(/[^\d+]/g, ""))}
        maxLength={5}
        inputMode="tel"
      />
      <Field
        {...named("Contact number")}
        {...field("contactNumber", (text) => contactNumberOf(text).slice(0, LONGEST_NUMBER))}
        inputMode="numeric"
      />
      <Field
        {...named("Email")}
        {...field("email")}
        type="email"
        inputMode="email"
        maxLength={254}
      />
      <SelectField
        label={showsLabels ? "Role" : `Role of row ${place + 1}`}
        hideLabel={!showsLabels}
        options={[...roles]}
        value={draft.role}
        error={faults.role}
        onChange={(event) => onChange("role", event.currentTarget.value)}
      />
      {draft.language && (
        <SelectField
          label={showsLabels ? "Language" : `Language of row ${place + 1}`}
          hideLabel={!showsLabels}
          options={languages}
          value={draft.language}
          error={faults.language}
          onChange={(event) => onChange("language", event.currentTarget.value)}
        />
      )}
      {!isOnly && (
        <div className={styles.remove}>
          <IconButton
            label={`Remove row ${place + 1}`}
            icon={<Trash2 size={15} aria-hidden="true" />}
            onClick={onRemove}
          />
        </div>
      )}
    </div>
  )
}
