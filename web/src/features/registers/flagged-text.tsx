import type { Advertisement } from "./queries"
import styles from "./registers.module.css"

interface FlaggedTextProps {
  text: string
  flagged: Advertisement["flagged"]
}

/** A text with the flagged words marked where they are. */
export function FlaggedText({ text, flagged }: FlaggedTextProps) {
  // The server counts characters, also those outside the basic plane, as one each.
  const letters = Array.from(text)
  const ends = flagged.map(({ end }) => end)
  return (
    <span className={styles.wrap}>
      {flagged.map(({ start, end }, place) => (
        <span key={start}>
          {letters.slice(ends[place - 1] ?? 0, start).join("")}
          <mark>{letters.slice(start, end).join("")}</mark>
        </span>
      ))}
      {letters.slice(ends.at(-1) ?? 0).join("")}
    </span>
  )
}
