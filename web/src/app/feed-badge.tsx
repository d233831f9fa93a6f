import { dateTime } from "@/lib/dates"
import { type Feed, sourceNames, useFeed } from "@/live/feed"
import styles from "./header.module.css"

/** When NSE closes. */
const CLOSES = "15:30"

function stateText(feed: Feed): string {
  switch (feed.state) {
    case "connecting":
      return "Connecting"
    case "live":
      return "Live"
    case "simulated":
      return "Simulated prices"
    case "reconnecting":
      return `Reconnecting (${feed.attempt} of ${feed.attempts})`
    case "stale":
      return feed.isSimulated ? "Simulated prices, stale" : "Stale prices"
    case "closed":
      return `Closed · ${CLOSES} IST`
    case "none":
      return feed.isSimulated ? "Simulated prices, stale" : "No live prices"
  }
}

/** Where the prices come from, and the time of the newest one when none arrive. Simulated prices have no source. */
function sourceText({ state, source, pricesAt, isSimulated }: Feed): string | null {
  const name = source && !isSimulated ? sourceNames[source] : null
  if (state === "connecting" || state === "simulated") return null
  if (state === "live" || !pricesAt) return name
  return [name, dateTime(pricesAt)].filter(Boolean).join(" · ")
}

interface FeedBadgeProps {
  /** The phone's line under the header. */
  strip?: boolean
  /** Further words in the phone's line. */
  more?: string
}

/** The state of the price feed, its source and age; on every screen. */
export function FeedBadge({ strip = false, more = "" }: FeedBadgeProps) {
  const feed = useFeed()
  const source = sourceText(feed)
  return (
    <span
      className={strip ? `${styles.feed} ${styles.strip}` : styles.feed}
      data-state={feed.state}
      data-simulated={feed.isSimulated}
      title={feed.pricesAt ? `Last price of ${dateTime(feed.pricesAt)}` : undefined}
    >
      <span role="status">{stateText(feed)}</span>
      {source && <span className={styles.source}>{source}</span>}
      {more !== "" && <span className={styles.more}>{more}</span>}
    </span>
  )
}
