import type { ReactNode } from "react"
import { price } from "@/lib/format"
import { useIsOldPrice } from "./feed"
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
  const isOldPrice = useIsOldPrice(String(token))
  // A new connection is sent what the server knows, the stale ones among them.
  const isDated = !!stale && (tick === undefined || tick.price === otherwise)
  const classes = [tick && washes[tick.change], (isOldPrice || isDated) && "price-stale"]
  return (
    <span
      className={classes.filter(Boolean).join(" ") || undefined}
      // The animation has two names by turns, so that it starts again when the same side moves twice.
      data-again={(tick && tick.version % 2 === 1) || undefined}
    >
      {price(tick?.price ?? otherwise)}
      {isDated && stale}
    </span>
  )
}
