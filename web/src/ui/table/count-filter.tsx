import { count as counted } from "@/lib/format"
import styles from "./count-filter.module.css"

export interface CountChoice<Choice extends string> {
  choice: Choice
  label: string
  /** How many rows it shows; undefined while that loads. */
  count: number | undefined
  /** A second figure below the count, such as rupees. */
  note?: string
  /** What both figures are, in full: the tooltip. */
  title?: string
  /** The colour of a count above nought. */
  tone?: "gain" | "warn" | "loss"
}

interface CountFilterProps<Choice extends string> {
  /** What is shown: "Show clients". */
  label: string
  choices: readonly CountChoice<Choice>[]
  shown: Choice
  onShow: (choice: Choice) => void
}

/** Tiles of counts; a press shows those rows alone. */
export function CountFilter<Choice extends string>(props: CountFilterProps<Choice>) {
  const { label, choices, shown, onShow } = props
  return (
    <div className={styles.tiles} role="group" aria-label={label}>
      {choices.map(({ choice, label: words, count, note, title, tone }) => (
        <button
          key={choice}
          type="button"
          aria-pressed={choice === shown}
          title={title}
          data-tone={count ? tone : undefined}
          onClick={() => onShow(choice)}
        >
          <span>{words}</span>
          <strong>{counted(count)}</strong>
          {note !== undefined && <small>{note}</small>}
        </button>
      ))}
    </div>
  )
}
