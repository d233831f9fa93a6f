import styles from "./segments.module.css"

interface SegmentsProps<Choice extends string> {
  label: string
  /** Shown text by value, in their order. */
  choices: Readonly<Record<Choice, string>>
  value: Choice
  onChoice: (choice: Choice) => void
}

/** A few choices side by side, one of them pressed. */
export function Segments<Choice extends string>(props: SegmentsProps<Choice>) {
  const { label, choices, value, onChoice } = props
  return (
    <div className={styles.segments} role="group" aria-label={label}>
      {(Object.entries(choices) as [Choice, string][]).map(([choice, text]) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === value}
          onClick={() => onChoice(choice)}
        >
          {text}
        </button>
      ))}
    </div>
  )
}
