import { useId } from "react"
import styles from "./radio-field.module.css"

interface RadioFieldProps<Choice extends string> {
  label: string
  /** Shown text by value, in their order; those that are left out cannot be chosen. */
  choices: Readonly<Partial<Record<Choice, string>>>
  /** Null while nothing is chosen. */
  value: Choice | null
  onChoice: (choice: Choice) => void
  description?: string
  disabled?: boolean
}

/** One of a few that exclude each other, all of them in sight. */
export function RadioField<Choice extends string>(props: RadioFieldProps<Choice>) {
  const { label, choices, value, onChoice, description, disabled } = props
  const name = useId()
  return (
    <fieldset
      className={styles.field}
      disabled={disabled}
      aria-describedby={description ? `${name}-hint` : undefined}
    >
      <legend>{label}</legend>
      <div className={styles.choices}>
        {(Object.entries(choices) as [Choice, string][]).map(([choice, text]) => (
          <label key={choice}>
            <input
              type="radio"
              name={name}
              value={choice}
              checked={choice === value}
              onChange={() => onChoice(choice)}
            />
            {text}
          </label>
        ))}
      </div>
      {description && (
        <p id={`${name}-hint`} className={styles.hint}>
          {description}
        </p>
      )}
    </fieldset>
  )
}
