import { dateTime } from "@/lib/dates"
import { type Feed, sourceNames, useFeed } from "@/live/feed"
import styles from "./header.module.css"

/** When NSE closes. */
const CLOSES = "15:30"

function wordsOf(feed: Feed): string {
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
      return feed.isSimulated ? "Simulated prices, old" : "Prices are old"
    case "closed":
      return `Closed · ${CLOSES} IST`
    case "none":
      return feed.isSimulated ? "Simulated prices, old" : "No live prices"
  }
}

/** Who told the prices, and of when the newest is where they do not come. The badge names simulated ones itself. */
function tellerOf({ state, source, pricesAt, isSimulated }: Feed): string | null {
  const teller = source && !isSimulated ? sourceNames[source] : null
  if (state === "connecting" || state === "simulated") return null
  if (state === "live" || !pricesAt) return teller
  return [teller, dateTime(pricesAt)].filter(Boolean).join(" · ")
}

/** How the prices come, from whom and how old; on every screen. `strip` is the phone's line under the header. */
export function FeedBadge({ strip = false }: { strip?: boolean }) {
  const feed = useFeed()
  const teller = tellerOf(feed)
  return (
    <span
      className={strip ? `${styles.feed} ${styles.strip}` : styles.feed}
      data-state={feed.state}
      data-simulated={feed.isSimulated}
      title={feed.pricesAt ? `Last price of ${dateTime(feed.pricesAt)}` : undefined}
    >
      <span role="status">{wordsOf(feed)}</span>
      {teller && <span className={styles.teller}>{teller}</span>}
    </span>
  )
}
