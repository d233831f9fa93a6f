import { startTransition, useCallback, useEffect, useState, useSyncExternalStore } from "react"
import { type InstrumentToken, priceStore } from "./prices"

/** The tick of one instrument; undefined until one came. */
export function useTick(token: InstrumentToken | null | undefined) {
  const subscribe = useCallback(
    (listener: () => void) =>
      token === null || token === undefined
        ? () => undefined
        : priceStore.subscribe(token, listener),
    [token],
  )
  return useSyncExternalStore(subscribe, () =>
    token === null || token === undefined ? undefined : priceStore.tick(token),
  )
}

/** The last price of one instrument, or `otherwise` until a tick came. */
export const useLastPrice = (
  token: InstrumentToken | null | undefined,
  otherwise?: number | null,
) => useTick(token)?.price ?? otherwise ?? null

/** The last known price now, for code outside a component's drawing. */
export const lastPrice = (token: InstrumentToken) => priceStore.tick(token)?.price

const HALF_A_SECOND = 500
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()
let release: (() => void) | undefined

function onFlush() {
  timer ??= setTimeout(() => {
    timer = undefined
    for (const notify of [...listeners]) notify()
  }, HALF_A_SECOND)
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  release ??= priceStore.subscribeAll(onFlush)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    release?.()
    release = undefined
    clearTimeout(timer)
    timer = undefined
  }
}

/**
 * Renders a component that sums many prices again, at most twice a second; read `lastPrice(token)` in it. In a
 * transition: what is typed or pressed meanwhile comes first.
 */
export function usePriceBeat() {
  const [beat, setBeat] = useState(0)
  useEffect(() => subscribe(() => startTransition(() => setBeat((last) => last + 1))), [])
  return beat
}
