import { time } from "@/lib/dates"
import { type Feed, useFeed } from "@/live/feed"
import styles from "./header.module.css"

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
      return `Closed · ${time(feed.at)} IST`
  }
}

/** How the prices come; simulated ones are marked on every screen. `strip` is the phone's line under the header. */
export function FeedBadge({ strip = false }: { strip?: boolean }) {
  const feed = useFeed()
  return (
    <span
      className={strip ? `${styles.feed} ${styles.strip}` : styles.feed}
      data-state={feed.state}
      data-simulated={feed.isSimulated}
      role="status"
      title={feed.at ? `Last heard at ${time(feed.at)} IST` : undefined}
    >
      {wordsOf(feed)}
    </span>
  )
}
