/** Broker's number for an instrument, as text, since the wire's keys are text. */
export type InstrumentToken = string | number

interface Tick {
  price: number
  /** Compared with the price before: 1 up, -1 down, 0 the first that was seen. */
  change: -1 | 0 | 1
  /** Goes up with each change, so that a second rise washes again. */
  version: number
}

/** Prices by instrument, outside React: the socket collects, once a frame the listeners hear of it. */
export function createPriceStore(
  nextFrame: (flush: () => void) => void = (flush) => requestAnimationFrame(flush),
) {
  const ticks = new Map<string, Tick>()
  const waiting = new Map<string, number>()
  const listeners = new Map<string, Set<() => void>>()
  const allListeners = new Set<() => void>()
  let isAsked = false

  const flush = () => {
    isAsked = false
    const changed: string[] = []
    for (const [token, price] of waiting) {
      const before = ticks.get(token)
      if (before?.price === price) continue
      const change = before === undefined ? 0 : price > before.price ? 1 : -1
      ticks.set(token, { price, change, version: (before?.version ?? 0) + 1 })
      changed.push(token)
    }
    waiting.clear()
    for (const token of changed) for (const notify of listeners.get(token) ?? []) notify()
    if (changed.length > 0) for (const notify of [...allListeners]) notify()
  }

  return {
    /** Takes a map of the socket; the newest price of a frame wins. */
    collect(prices: Record<string, number>) {
      for (const [token, price] of Object.entries(prices)) {
        if (Number.isFinite(price)) waiting.set(token, price)
      }
      if (isAsked || waiting.size === 0) return
      isAsked = true
      nextFrame(flush)
    },
    tick: (token: InstrumentToken) => ticks.get(String(token)),
    subscribe(token: InstrumentToken, listener: () => void) {
      const key = String(token)
      const own = listeners.get(key) ?? new Set()
      listeners.set(key, own.add(listener))
      return () => {
        own.delete(listener)
        if (own.size === 0) listeners.delete(key)
      }
    },
    /** Hears of every flush, for totals. */
    subscribeAll(listener: () => void) {
      allListeners.add(listener)
      return () => {
        allListeners.delete(listener)
      }
    },
    /** Forgets all prices, when the session ends. */
    clear() {
      ticks.clear()
      waiting.clear()
    },
  }
}

export const priceStore = createPriceStore()
