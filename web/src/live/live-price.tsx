import type { ReactNode } from "react"
import { price } from "@/lib/format"
import { useFeed } from "./feed"
import type { InstrumentToken } from "./prices"
import { useTick } from "./use-last-price"

const washes = { "-1": "wash-down", 0: undefined, 1: "wash-up" } as const

interface LivePriceProps {
  token: InstrumentToken | null | undefined
  /** What the server last knew, until a tick comes. */
  otherwise?: number | null
  /** The day of the server's price, where that is too old to advise at. */
  stale?: ReactNode
}

/**
 * A price that follows the feed: its ground washes when it changes, its ink pales when it is old or not followed.
 * One that is stale stays so, with its day, until a tick brings another.
 */
export function LivePrice({ token, otherwise, stale }: LivePriceProps) {
  const tick = useTick(token)
  const { isStale, unfollowed } = useFeed()
  // A new connection is sent what the server knows, the stale ones among them.
  const isDated = !!stale && (tick === undefined || tick.price === otherwise)
  const isOld = isStale || isDated || unfollowed.has(String(token))
  const classes = [tick && washes[tick.change], isOld && "price-stale"].filter(Boolean)
  return (
    // A new key restarts the animation when the same side moves twice.
    <span key={tick?.version} className={classes.join(" ") || undefined}>
      {price(tick?.price ?? otherwise)}
      {isDated && stale}
    </span>
  )
}
