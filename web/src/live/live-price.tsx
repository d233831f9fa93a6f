import { price } from "@/lib/format"
import { useFeed } from "./feed"
import type { InstrumentToken } from "./prices"
import { useTick } from "./use-last-price"

const washes = { "-1": "wash-down", 0: undefined, 1: "wash-up" } as const

interface LivePriceProps {
  token: InstrumentToken | null | undefined
  /** What the server last knew, until a tick comes. */
  otherwise?: number | null
}

/** A price that follows the feed: its ground washes when it changes, its ink pales when it is old or not followed. */
export function LivePrice({ token, otherwise }: LivePriceProps) {
  const tick = useTick(token)
  const { isStale, unfollowed } = useFeed()
  const isOld = isStale || unfollowed.has(String(token))
  const classes = [tick && washes[tick.change], isOld && "price-stale"].filter(Boolean)
  return (
    // A new key starts the wash anew when the same side moves twice.
    <span key={tick?.version} className={classes.join(" ") || undefined}>
      {price(tick?.price ?? otherwise)}
    </span>
  )
}
