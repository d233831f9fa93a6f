import { longDate } from "@/lib/dates"
import { priceTime, sourceName } from "@/lib/price-sources"

interface StaleNoteProps {
  /** When the price was made. */
  at: string | null | undefined
  source?: string | null
}

const words = ({ at, source }: StaleNoteProps) =>
  `Stale price of ${priceTime(at, source)}${source ? ` (${sourceName(source)})` : ""}`

/** The day of a price that is too old to advise at; the tooltip shows its source. */
export function StaleNote(props: StaleNoteProps) {
  if (!props.at) return null
  return (
    <small className="price-stale stale-note" title={words(props)}>
      <span aria-hidden="true">{longDate(props.at)}</span>
      <span className="sr-only">{words(props)}</span>
    </small>
  )
}
